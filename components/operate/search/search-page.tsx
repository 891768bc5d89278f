'use client'

import Search from 'lucide-react/icons/search'
import { useEffect, useId, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '#components/ui/button.tsx'
import { useSearch } from '#lib/browser/operate/search.ts'
import { useAddress, useAddressState } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchGroups } from './search-groups.tsx'

const state = z.object({ q: z.optional(z.string().check(z.maxLength(200))) })

/** One field that takes any id; what was searched for is in the address. */
export default function SearchPage() {
  const { t } = useConsoleText()
  const [{ q = '' }, change] = useAddressState(state)
  return (
    <>
      <PageHead title={t('search.title')} />
      <SearchField key={q} text={q} onSearch={(text) => change({ q: text })} />
      {q.trim() === '' ? <EmptyState title={t('search.what')}>{t('search.whatHelp')}</EmptyState> : <Results q={q} />}
    </>
  )
}

function SearchField({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const { t } = useConsoleText()
  const id = useId()
  const [typed, setTyped] = useState(text)
  return (
    <form
      role="search"
      className="mb-5 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(typed.trim())
      }}
    >
      <label htmlFor={id} className="sr-only">
        {t('search.field')}
      </label>
      <input
        id={id}
        type="search"
        data-search
        value={typed}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={t('search.placeholder')}
        className="min-h-12 min-w-0 grow rounded-card border border-field bg-surface px-3.5 text-ink placeholder:text-ink-3"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="primary" aria-label={t('search.act')}>
        <Search aria-hidden size={18} />
      </Button>
    </form>
  )
}

function Results({ q }: { readonly q: string }) {
  const { t } = useConsoleText()
  const { go } = useAddress()
  const { data, error, refetch, isPlaceholderData } = useSearch(useConsoleClient(), q)
  const target = data !== undefined && data.q === q.trim() ? data.go : null
  useEffect(() => {
    // In place of the search: going back leads to where the search was begun.
    if (target !== null) go(pageHref(target), 'replace')
  }, [target, go])
  if (data === undefined)
    return error === null ? (
      <p role="status" className="text-s text-ink-2">
        {t('search.underWay')}
      </p>
    ) : (
      <LoadingFailure error={error} retry={() => void refetch()} />
    )
  if (target !== null) return null
  if (data.groups.length === 0 && !isPlaceholderData)
    return (
      <EmptyState title={t('search.none', { q: data.q })}>
        <p>{t('search.noneHelp')}</p>
        <p className="mt-2">{t('search.noneRequest')}</p>
      </EmptyState>
    )
  return <SearchGroups groups={data.groups} isOld={isPlaceholderData} />
}
