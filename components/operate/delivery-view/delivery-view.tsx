'use client'

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { TranslationsProvider } from '#components/context/translations.tsx'
import { AnnouncerProvider } from '#components/ui/announcer.tsx'
import { useHydrated } from '#components/ui/hydrated.ts'
import { createConsoleClient, nothing } from '#lib/browser/operate/console-client.ts'
import { isUnanswered } from '#lib/browser/request-failure.ts'
import type { ConsoleCatalogue } from '#lib/i18n/console-catalogue.ts'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { AddressProvider, useAddress } from '../context/address.tsx'
import { ConsoleTextProvider, useConsoleText } from '../context/texts.tsx'
import { DeliveriesAccessContext, type DeliveriesAccess } from '../deliveries/deliveries-access.tsx'
import { DeliveryWithAttempts } from '../deliveries/delivery-detail.tsx'
import { DeliveryList } from '../deliveries/delivery-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'

const ROOT = '/delivery-view'

/** The token after `#`; the address then loses it, so that it is not opened again. */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token')
  // The prototype's method: Next replaces the object's own method, which would render the page again.
  if (token !== null)
    History.prototype.replaceState.call(window.history, window.history.state, '', window.location.pathname)
  return token
}

function createView() {
  const client = createConsoleClient((path, init) => window.fetch(path, init), '/api/delivery-view/')
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && isUnanswered(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  const access: DeliveriesAccess = {
    client,
    listHref: ROOT,
    hrefOf: (id) => `${ROOT}/${encodeURIComponent(id)}`,
    mayResend: true,
    pages: null,
  }
  return { access, cache, token: takeToken() }
}

/** Deliveries in a page of the merchant's own admin: its token opens it once, and nothing else is here. */
export function DeliveryView({
  catalogue,
  texts,
}: {
  readonly catalogue: Catalogue
  readonly texts: ConsoleCatalogue
}) {
  // On the server it renders nothing.
  if (!useHydrated()) return null
  return (
    <TranslationsProvider catalogue={catalogue}>
      <ConsoleTextProvider texts={texts}>
        <View />
      </ConsoleTextProvider>
    </TranslationsProvider>
  )
}

function View() {
  const [{ access, cache, token }] = useState(createView)
  return (
    <AddressProvider>
      <QueryClientProvider client={cache}>
        <AnnouncerProvider>
          <DeliveriesAccessContext value={access}>
            <main className="mx-auto max-w-360 px-4 py-4">
              <Session token={token} client={access.client}>
                <Page />
              </Session>
            </main>
          </DeliveriesAccessContext>
        </AnnouncerProvider>
      </QueryClientProvider>
    </AddressProvider>
  )
}

/** Begins the session with the token, if there is one; a reload has none, and a cookie. */
function Session({
  token,
  client,
  children,
}: {
  readonly token: string | null
  readonly client: DeliveriesAccess['client']
  readonly children: ReactNode
}) {
  const { t } = useConsoleText()
  const begun = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      if (token !== null) await client.send('POST', 'session', { token }, nothing)
      return true
    },
    staleTime: Infinity,
    retry: false,
  })
  if (begun.isError) return <EmptyState title={t('deliveryView.closed')}>{t('deliveryView.closedHelp')}</EmptyState>
  return begun.isSuccess ? children : <p className="sr-only">{t('console.loading')}</p>
}

function Page() {
  const { t } = useConsoleText()
  const { path } = useAddress()
  const id = useMemo(() => decodeURIComponent(path.slice(ROOT.length).replaceAll('/', '')), [path])
  if (id !== '') return <DeliveryWithAttempts key={id} id={id} />
  return (
    <>
      <PageHead title={t('page.deliveries')} about={t('deliveries.about')} />
      <DeliveryList />
    </>
  )
}
