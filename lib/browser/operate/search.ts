import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { searchReply } from '#lib/contract/operate/search.ts'
import type { ConsoleClient } from './console-client.ts'

/** Each search is in the audit log, so a text is searched for when it is whole, not at each of its letters. */
const AFTER_TYPING_MS = 300

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), AFTER_TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What has this text as its id, hash, address or reference, or begins with it. An empty text finds nothing. */
export function useSearch(client: ConsoleClient, text: string) {
  const q = useSettled(text.trim())
  return useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => client.get(`search?q=${encodeURIComponent(q)}`, searchReply, signal),
    enabled: q !== '',
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
}
