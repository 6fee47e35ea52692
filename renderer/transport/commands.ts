import type { CommandResult } from '../../shared/command-result.ts'
import type { CommandInput, CommandName, CommandOutput } from '../../shared/contract.ts'
import type { Transport } from '../../shared/transport.ts'

/** Commands with the contract's types, over whatever carrier there is. */
export type Invoke = <N extends CommandName>(
  name: N,
  input: CommandInput<N>,
) => Promise<CommandResult<CommandOutput<N>>>

export const invokeOver = (transport: Transport): Invoke => {
  return (name, input) => transport.invoke(name, input) as ReturnType<Invoke> as never
}
