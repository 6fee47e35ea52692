import type { z } from 'zod'
import { type CommandResult, failed, succeeded } from '../../shared/command-result.ts'
import { type CommandName, commands, type Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'

/** One way in for every carrier: checks the input by the contract, runs the command, turns errors into data. Never rejects. */
export async function dispatch(
  handlers: Handlers<CommandName>,
  name: string,
  input: unknown,
): Promise<CommandResult<unknown>> {
  if (!Object.hasOwn(commands, name)) {
    return { ok: false, error: { code: 'unknown_command', message: `"${name.slice(0, 100)}" is not a command.` } }
  }
  const command = name as CommandName
  const parsed = commands[command].input.safeParse(input)
  if (!parsed.success) return failed(describe(parsed.error))
  try {
    const handler = handlers[command] as (input: unknown) => unknown
    return succeeded(await handler(parsed.data))
  } catch (error) {
    return failed(error)
  }
}

/** The first mistake, named by its field. */
function describe(error: z.ZodError): Failure {
  const issue = error.issues[0]!
  const field = issue.path.map(String).join('.')
  return new Failure('bad_input', `${field === '' ? 'The input' : field} is not right: ${issue.message}.`)
}
