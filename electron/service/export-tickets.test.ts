import { expect, it } from 'vitest'
import { ExportTickets, type TicketedExport } from './export-tickets.ts'

const request: TicketedExport = {
  id: 'x.sandpiper',
  source: { view: 'pages' },
  format: 'csv',
  preset: 'excel',
  name: 'x.csv',
}

it('a ticket stands for one export, once, for a minute', () => {
  let now = 0
  const tickets = new ExportTickets(() => now)
  const [first, second] = [tickets.issue(request), tickets.issue(request)]
  expect(first).not.toBe(second)
  expect(tickets.redeem(first)).toEqual(request)
  expect(tickets.redeem(first)).toBeNull()
  expect(tickets.redeem('x')).toBeNull()
  now = 60_000
  expect(tickets.redeem(second)).toBeNull()
})

it('keeps at most a hundred, the latest', () => {
  const tickets = new ExportTickets()
  const issued = Array.from({ length: 101 }, () => tickets.issue(request))
  expect(tickets.redeem(issued[0]!)).toBeNull()
  expect(tickets.redeem(issued[100]!)).toEqual(request)
})
