'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Search from 'lucide-react/icons/search'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { nothing } from '#lib/browser/operate/console-client.ts'
import { forgetOperator, meQuery } from '#lib/browser/operate/me.ts'
import { endsSession } from '#lib/browser/request-failure.ts'
import { ConsoleLink, useAddress } from '../context/address.tsx'
import { useAsked, useConsoleAccess } from '../context/client.tsx'
import { OperatorContext, useOperator } from '../context/operator.tsx'
import { pageHref } from '../context/page-links.ts'
import { findPage } from './pages.ts'
import { useConsoleText } from '../context/texts.tsx'
import { useLiveUpdates } from '../context/use-live-updates.ts'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { CurrentPage } from './current-page.tsx'
import { useKeyboard } from './keyboard.tsx'
import { LazyDialog } from './lazy-dialog.tsx'
import { recentPages, useRecentPages } from './recent.ts'
import { useIdleEnd } from './use-idle-end.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useMenuPages } from './use-menu-pages.ts'

const SignInPage = lazy(() => import('../access/sign-in-page.tsx'))
const InvitationPage = lazy(() => import('../access/invitation-page.tsx'))
const AccessDialog = lazy(() => import('../access/access-dialog.tsx'))

/** Who is signed in, the menu, and the page of the address. */
export function ConsoleShell() {
  const { path } = useAddress()
  if (path === pageHref('/invitation'))
    return (
      <Suspense>
        <InvitationPage />
      </Suspense>
    )
  return <ForSignedIn />
}

function ForSignedIn() {
  const { plain, gate } = useConsoleAccess()
  const me = useQuery(meQuery(plain))
  const { t } = useConsoleText()
  const isSignedIn = me.data !== undefined
  const hasEnded = endsSession(me.error)
  useEffect(() => {
    // The page stays below the dialog that asks, with what was typed.
    if (isSignedIn && hasEnded) void gate.ask('sign-in')
  }, [gate, isSignedIn, hasEnded])
  if (me.data === undefined) {
    if (me.isPending) return <p className="sr-only">{t('console.loading')}</p>
    if (hasEnded)
      return (
        <Suspense>
          <SignInPage />
        </Suspense>
      )
    return <LoadingFailure error={me.error} retry={() => void me.refetch()} />
  }
  return (
    <OperatorContext value={me.data}>
      {/* Another operator in the same browser begins anew. */}
      <SignedInShell key={me.data.id} />
    </OperatorContext>
  )
}

function SignedInShell() {
  const { t } = useConsoleText()
  const { path, go } = useAddress()
  const asked = useAsked()
  const keyboard = useKeyboard()
  useRecentPages()
  useIdleEnd()
  useKeptFocus()
  useLiveUpdates()
  useEffect(() => {
    if (path === pageHref('/sign-in')) go(pageHref(''), 'replace')
  }, [path, go])
  return (
    <>
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-3">
        {t('console.skip')}
      </a>
      {/* Whoever comes by after the session's end sees nothing of it, and what was typed stays. */}
      <div
        className={`mx-auto grid min-h-dvh max-w-360 grid-rows-[auto_1fr] lg:grid-cols-[13rem_minmax(0,1fr)] lg:grid-rows-1 ${asked === 'sign-in' ? 'invisible' : ''}`}
      >
        <Menu onSearch={keyboard.search} onKeys={keyboard.showKeys} />
        <main id="content" tabIndex={-1} className="min-w-0 px-4 pt-4 pb-16 outline-none lg:px-8 lg:pt-7">
          <CurrentPage />
        </main>
      </div>
      {keyboard.dialogs}
      <LazyDialog wanted={asked !== null}>
        <AccessDialog />
      </LazyDialog>
    </>
  )
}

/** Scrolls a list sideways, and nothing else, until the link of the shown page is inside it. */
function showCurrent(list: HTMLElement): void {
  const current = list.querySelector('[aria-current=page]')?.getBoundingClientRect()
  if (current === undefined) return
  const { left, right } = list.getBoundingClientRect()
  list.scrollLeft += Math.max(0, current.right - right) + Math.min(0, current.left - left)
}

function Menu({ onSearch, onKeys }: { readonly onSearch: () => void; readonly onKeys: () => void }) {
  const { t } = useConsoleText()
  const { path } = useAddress()
  const pages = useMenuPages()
  const shown = findPage(path)?.page
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (list.current !== null) showCurrent(list.current)
  }, [shown, pages])
  useEffect(() => {
    document.title = `${shown === undefined ? t('console.notFound') : t(shown.title)} · ${t('console.title')}`
  }, [shown, t])
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-3 border-b border-line bg-surface px-4 py-2 lg:h-dvh lg:flex-col lg:flex-nowrap lg:items-stretch lg:gap-4 lg:border-e lg:border-b-0 lg:px-3 lg:py-6 lg:sticky lg:top-0">
      <p className="px-2 font-semibold lg:text-l">{t('console.title')}</p>
      <button
        type="button"
        className="ms-auto flex min-h-11 items-center gap-2 rounded-card border border-line px-3 text-s text-ink-2 hover:bg-sunken lg:ms-0"
        onClick={onSearch}
      >
        <Search aria-hidden size={16} className="shrink-0" />
        {t('palette.open')}
        <kbd className="ms-auto hidden rounded-small border border-line bg-sunken px-1.5 font-mono text-xs lg:inline">
          /
        </kbd>
      </button>
      <nav
        aria-label={t('console.menu')}
        className="order-last w-full min-w-0 lg:order-none lg:grow lg:overflow-y-auto"
      >
        <ul ref={list} className="flex gap-1 overflow-x-auto lg:grid lg:overflow-visible">
          {pages.map((page) => (
            <li key={page.path} className="shrink-0">
              <ConsoleLink
                href={pageHref(page.path)}
                aria-current={page === shown ? 'page' : undefined}
                className="flex min-h-11 items-center rounded-small px-2 text-s font-medium whitespace-nowrap text-ink-2 hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent lg:min-h-9"
              >
                {t(page.title)}
              </ConsoleLink>
            </li>
          ))}
        </ul>
      </nav>
      <SignedIn onKeys={onKeys} />
    </header>
  )
}

function SignedIn({ onKeys }: { readonly onKeys: () => void }) {
  const { t } = useConsoleText()
  const { name, role } = useOperator()
  const { plain } = useConsoleAccess()
  const cache = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => plain.send('POST', 'sign-out', undefined, nothing),
    async onSuccess() {
      recentPages.clear()
      await forgetOperator(cache)
    },
  })
  return (
    <div className="flex min-w-0 items-center gap-1 lg:flex-wrap lg:justify-between">
      <Button variant="icon" className="max-lg:hidden" aria-label={t('shell.keys')} onClick={onKeys}>
        <Keyboard aria-hidden size={18} />
      </Button>
      <p className="min-w-0 grow truncate px-2 text-s text-ink-2 lg:order-first lg:w-full">
        {t('console.signedInAs', { name, role: t(`role.${role}`) })}
      </p>
      <Button
        variant="icon"
        aria-label={t('console.signOut')}
        busy={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        <LogOut aria-hidden size={18} />
      </Button>
    </div>
  )
}
