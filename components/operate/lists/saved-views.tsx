'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { nothing } from '#lib/browser/operate/console-client.ts'
import { viewsQuery } from '#lib/browser/operate/lists.ts'
import { savedView, type SavedView, type ViewedList } from '#lib/contract/operate/views.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'

const MOST_NAME_CHARACTERS = 60

type Change =
  | { readonly kind: 'save'; readonly name: string; readonly query: string }
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  | { readonly kind: 'replace'; readonly id: string; readonly query: string }
  | { readonly kind: 'delete'; readonly id: string }

function useChangeViews(list: ViewedList) {
  const client = useConsoleClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change): Promise<void> => {
      if (change.kind === 'save')
        await client.send('POST', 'views', { list, name: change.name, query: change.query }, savedView)
      else if (change.kind === 'delete') await client.send('DELETE', `views/${change.id}`, undefined, nothing)
      else {
        const body = change.kind === 'rename' ? { name: change.name } : { query: change.query }
        await client.send('PUT', `views/${change.id}`, body, savedView)
      }
    },
    onSettled: () => cache.invalidateQueries({ queryKey: viewsQuery(client).queryKey }),
  })
}

/** The operator's views of a list: opens one, saves what is shown, renames, replaces and deletes. */
export function SavedViews({
  list,
  query,
  hrefOf,
}: {
  readonly list: ViewedList
  /** What is shown now (`viewQueryOf`). */
  readonly query: string
  readonly hrefOf: (query: string) => string
}) {
  const { t } = useConsoleText()
  const views = useQuery(viewsQuery(useConsoleClient()))
  const change = useChangeViews(list)
  const own = (views.data ?? []).filter((view) => view.list === list)
  return (
    <div className="grid gap-4">
      {views.error !== null && <LoadingFailure error={views.error} retry={() => void views.refetch()} />}
      {own.length === 0 && views.data !== undefined && <p className="text-s text-ink-2">{t('view.none')}</p>}
      {own.length > 0 && (
        <ul className="grid gap-1">
          {own.map((view) => (
            <ViewLine
              key={`${view.id} ${view.name}`}
              view={view}
              isShown={view.query === query}
              href={hrefOf(view.query)}
              onRename={(name) => change.mutate({ kind: 'rename', id: view.id, name })}
              onReplace={() => change.mutate({ kind: 'replace', id: view.id, query })}
              onDelete={() => change.mutate({ kind: 'delete', id: view.id })}
            />
          ))}
        </ul>
      )}
      <NameForm
        label={t('view.name')}
        act={t('view.save')}
        busy={change.isPending}
        onName={(name, done) => change.mutate({ kind: 'save', name, query }, { onSuccess: done })}
      />
      {change.error !== null && <ActFailure error={change.error} />}
    </div>
  )
}

function ViewLine({
  view,
  isShown,
  href,
  onRename,
  onReplace,
  onDelete,
}: {
  readonly view: SavedView
  readonly isShown: boolean
  readonly href: string
  readonly onRename: (name: string) => void
  readonly onReplace: () => void
  readonly onDelete: () => void
}) {
  const { t } = useConsoleText()
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming)
    return (
      <li className="py-1">
        <NameForm
          label={t('view.newName', { name: view.name })}
          act={t('view.rename')}
          initial={view.name}
          onName={(name) => {
            setRenaming(false)
            if (name !== view.name) onRename(name)
          }}
        />
      </li>
    )
  return (
    <li className="flex flex-wrap items-center gap-x-1">
      <ConsoleLink
        href={href}
        aria-current={isShown ? 'true' : undefined}
        className="min-w-0 grow py-2 text-s font-semibold break-words text-accent hover:underline aria-[current]:text-ink"
      >
        {view.name}
      </ConsoleLink>
      {!isShown && (
        <Button variant="quiet" aria-label={t('view.replaceNamed', { name: view.name })} onClick={onReplace}>
          {t('view.replace')}
        </Button>
      )}
      <Button variant="quiet" aria-label={t('view.renameNamed', { name: view.name })} onClick={() => setRenaming(true)}>
        {t('view.rename')}
      </Button>
      <Button variant="quiet" aria-label={t('view.deleteNamed', { name: view.name })} onClick={onDelete}>
        {t('view.delete')}
      </Button>
    </li>
  )
}

function NameForm({
  label,
  act,
  initial = '',
  busy = false,
  onName,
}: {
  readonly label: string
  readonly act: string
  readonly initial?: string
  readonly busy?: boolean
  /** `done` empties the field. */
  readonly onName: (name: string, done: () => void) => void
}) {
  const id = useId()
  const [name, setName] = useState(initial)
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onName(name.trim(), () => setName(''))
      }}
    >
      <div className="grid min-w-0 grow gap-1.5 sm:max-w-80">
        <label htmlFor={id} className="text-s font-semibold">
          {label}
        </label>
        <input
          id={id}
          value={name}
          maxLength={MOST_NAME_CHARACTERS}
          autoComplete="off"
          className="min-h-11 w-full min-w-0 rounded-small border border-field bg-surface px-3"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Button type="submit" busy={busy} className="text-s">
        {act}
      </Button>
    </form>
  )
}
