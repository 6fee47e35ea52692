import { useEffect, useRef, useState } from 'react'
import type { CommandName, CommandOutput } from '../../shared/contract.ts'
import { useApp } from './app-context.tsx'

const AFTER_FAILURE_MS = 3_000

/**
 * What a command answers: asked at once, again whenever `input` changes, and every `everyMs` while that is not null. An
 * answer that fails is told and keeps what was there.
 */
export function usePolled<N extends CommandName>(
  name: N,
  input: Parameters<ReturnType<typeof useApp>['invoke']>[1] | null,
  everyMs: (latest: CommandOutput<N> | null) => number | null,
): CommandOutput<N> | null {
  const { invoke, store } = useApp()
  const [latest, setLatest] = useState<CommandOutput<N> | null>(null)
  const text = JSON.stringify(input)
  const pace = useRef(everyMs)
  pace.current = everyMs
  const rhythm = everyMs(latest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of rhythm begins a new round
  useEffect(() => {
    if (input === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async (): Promise<void> => {
      const result = await invoke(name, input as never)
      if (isOver) return
      if (result.ok) setLatest(result.value as CommandOutput<N>)
      else store.getState().tell(result)
      const ms = pace.current(result.ok ? (result.value as CommandOutput<N>) : null)
      if (!result.ok && ms !== null) timer = setTimeout(() => void ask(), Math.max(ms, AFTER_FAILURE_MS))
      else if (ms !== null) timer = setTimeout(() => void ask(), ms)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [name, text, rhythm, invoke, store])
  return latest
}
