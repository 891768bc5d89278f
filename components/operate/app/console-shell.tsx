'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import LogOut from 'lucide-react/icons/log-out'
import { useEffect } from 'react'
import { Button } from '#components/ui/button.tsx'
import { nothing } from '#lib/browser/operate/console-client.ts'
import { meQuery } from '#lib/browser/operate/me.ts'
import { endsSession } from '#lib/browser/request-failure.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import SignInPage from '../access/sign-in-page.tsx'
import { ConsoleLink, useAddress } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { OperatorContext, useOperator } from '../context/operator.tsx'
import { pageHref } from '../context/page-links.ts'
import { findPage, PAGES } from './pages.ts'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { CurrentPage } from './current-page.tsx'

/** Who is signed in, the menu, and the page of the address. */
export function ConsoleShell() {
  const me = useQuery(meQuery(useConsoleClient()))
  const { t } = useConsoleText()
  if (me.data === undefined || endsSession(me.error)) {
    if (me.isPending) return <p className="sr-only">{t('console.loading')}</p>
    if (endsSession(me.error)) return <SignInPage />
    return <LoadingFailure error={me.error} retry={() => void me.refetch()} />
  }
  return (
    <OperatorContext value={me.data}>
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-3">
        {t('console.skip')}
      </a>
      <div className="mx-auto grid min-h-dvh max-w-360 grid-rows-[auto_1fr] lg:grid-cols-[13rem_minmax(0,1fr)] lg:grid-rows-1">
        <Menu />
        <main id="content" tabIndex={-1} className="min-w-0 px-4 pt-4 pb-16 outline-none lg:px-8 lg:pt-7">
          <CurrentPage />
        </main>
      </div>
    </OperatorContext>
  )
}

function Menu() {
  const { t } = useConsoleText()
  const { path } = useAddress()
  const operator = useOperator()
  const shown = findPage(path)?.page
  useEffect(() => {
    document.title = `${shown === undefined ? t('console.notFound') : t(shown.title)} · ${t('console.title')}`
  }, [shown, t])
  const pages = PAGES.filter(({ menu, role }) => menu !== undefined && mayActAs(operator.role, role))
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-3 border-b border-line bg-surface px-4 py-2 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-4 lg:border-e lg:border-b-0 lg:px-3 lg:py-6 lg:sticky lg:top-0">
      <p className="px-2 font-semibold lg:text-l">{t('console.title')}</p>
      <nav
        aria-label={t('console.menu')}
        className="order-last w-full min-w-0 lg:order-none lg:grow lg:overflow-y-auto"
      >
        <ul className="flex gap-1 overflow-x-auto lg:grid lg:overflow-visible">
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
      <SignedIn />
    </header>
  )
}

function SignedIn() {
  const { t } = useConsoleText()
  const { name, role } = useOperator()
  const client = useConsoleClient()
  const cache = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => client.send('POST', 'sign-out', undefined, nothing),
    onSuccess: () => cache.clear(),
  })
  return (
    <div className="ms-auto flex min-w-0 items-center gap-1 lg:ms-0">
      <p className="min-w-0 grow truncate px-2 text-s text-ink-2">
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
