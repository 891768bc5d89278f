'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import Search from 'lucide-react/icons/search'
import { useMemo, useRef, useState, type RefObject } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { useAddress } from '../context/address.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { recentPages } from './recent.ts'
import { useMenuPages } from './use-menu-pages.ts'

interface PaletteItem {
  readonly href: string
  readonly label: string
}

interface PaletteGroup {
  readonly name: string
  readonly items: readonly PaletteItem[]
}

interface ListProps {
  readonly fieldRef: RefObject<HTMLInputElement | null>
  /** What stands in the field; keys may have come before it. */
  readonly query: string
  readonly onQuery: (text: string) => void
  readonly onClose: () => void
}

/** One field for every page, what was open last, and the search. Loaded on demand. */
export default function Palette({ open, ...list }: { readonly open: boolean } & Omit<ListProps, 'fieldRef'>) {
  const { t } = useConsoleText()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog open={open} title={t('palette.title')} titleHidden initialFocus={field} onClose={list.onClose}>
      <PaletteList fieldRef={field} {...list} />
    </Dialog>
  )
}

const has = (label: string, text: string): boolean => label.toLowerCase().includes(text.toLowerCase())

function usePaletteGroups(text: string): readonly PaletteGroup[] {
  const { t } = useConsoleText()
  const pages = useMenuPages()
  const [recent] = useState(() => recentPages.list())
  return useMemo(() => {
    const found = (items: readonly PaletteItem[]): readonly PaletteItem[] =>
      items.filter(({ label }) => has(label, text))
    const groups: readonly PaletteGroup[] = [
      {
        name: t('palette.search'),
        items:
          text === ''
            ? []
            : [{ href: pageHref(`/search?q=${encodeURIComponent(text)}`), label: t('palette.searchFor', { text }) }],
      },
      { name: t('palette.recent'), items: found(recent) },
      {
        name: t('palette.pages'),
        items: found(pages.map(({ path, title }) => ({ href: pageHref(path), label: t(title) }))),
      },
    ]
    return groups.filter(({ items }) => items.length > 0)
  }, [pages, recent, t, text])
}

function PaletteList({ fieldRef, query, onQuery, onClose }: ListProps) {
  const { t } = useConsoleText()
  const { go } = useAddress()
  const groups = usePaletteGroups(query.trim())
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      mode="none"
      value={query}
      onValueChange={onQuery}
      autoHighlight="always"
      // Enter opens the row that the arrow keys chose, not the row below a resting pointer.
      highlightItemOnHover={false}
      itemToStringValue={({ label }: PaletteItem) => label}
    >
      <div className="px-4 pb-2">
        <Autocomplete.InputGroup className="flex h-12 items-center gap-2 rounded-card border border-field px-3.5 focus-within:border-accent focus-within:outline-3 focus-within:outline-accent-soft">
          <Search aria-hidden size={18} className="shrink-0 text-ink-2" />
          <Autocomplete.Input
            ref={fieldRef}
            aria-label={t('palette.field')}
            placeholder={t('palette.hint')}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            className="h-full w-full min-w-0 bg-transparent text-[1rem] outline-none placeholder:text-ink-3"
          />
        </Autocomplete.InputGroup>
      </div>
      <Autocomplete.List
        aria-label={t('palette.title')}
        className="min-h-40 grow scroll-py-10 overflow-y-auto overscroll-contain px-2 pb-3"
      >
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.name} items={group.items}>
            <Autocomplete.GroupLabel className="px-3 pt-3 pb-1 text-xs font-semibold text-ink-2">
              {group.name}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => (
                <Autocomplete.Item
                  key={item.href}
                  value={item}
                  className="flex min-h-11 items-center rounded-small px-3 py-1.5 break-all hover:bg-sunken data-highlighted:bg-accent-soft data-highlighted:text-accent"
                  onClick={() => {
                    onClose()
                    go(item.href)
                  }}
                >
                  {item.label}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
