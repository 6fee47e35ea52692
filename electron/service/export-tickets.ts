import { randomBytes } from 'node:crypto'
import type { CommandArgument } from '../../shared/contract.ts'

/**
 * A download is a plain GET that cannot carry the token: a ticket stands for one export, once, for a minute. Whoever may
 * run commands may have one.
 */

const LIFE_MS = 60_000
const MAX_TICKETS = 100

export type TicketedExport = CommandArgument<'export.prepare'> & { name: string }

export class ExportTickets {
  readonly #tickets = new Map<string, { request: TicketedExport; expiresAt: number }>()
  readonly #mono: () => number

  constructor(mono: () => number = () => performance.now()) {
    this.#mono = mono
  }

  issue(request: TicketedExport): string {
    const oldest = this.#tickets.keys().next().value
    if (this.#tickets.size >= MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest)
    const ticket = randomBytes(32).toString('base64url')
    this.#tickets.set(ticket, { request, expiresAt: this.#mono() + LIFE_MS })
    return ticket
  }

  /** Null for a ticket that was never issued, was used, or has expired. */
  redeem(ticket: string): TicketedExport | null {
    const issued = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    return issued !== undefined && issued.expiresAt > this.#mono() ? issued.request : null
  }
}
