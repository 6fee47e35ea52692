import { type FormEvent, useState } from 'react'
import type { LibraryStore } from '../state/library-store.ts'

/** One field and Enter. What was typed stays until the crawl has begun. */
export function StartForm({ useLibrary }: { useLibrary: LibraryStore }) {
  const start = useLibrary((state) => state.start)
  const [address, setAddress] = useState('')
  const [starting, setStarting] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setStarting(true)
    if (await start(address.trim())) setAddress('')
    setStarting(false)
  }

  return (
    <form className="start" onSubmit={(event) => void submit(event)}>
      <label htmlFor="address">Address of a site</label>
      <input
        id="address"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        placeholder="https://example.org/"
        autoComplete="off"
        spellCheck={false}
      />
      <button type="submit" className="primary" disabled={starting || address.trim() === ''}>
        Start
      </button>
    </form>
  )
}
