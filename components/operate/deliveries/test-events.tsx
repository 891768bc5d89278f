'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '#components/ui/button.tsx'
import { testEventsQuery } from '#lib/browser/operate/deliveries.ts'
import { testEventReply } from '#lib/contract/operate/deliveries.ts'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { useDeliveriesAccess } from './deliveries-access.tsx'
import { Attempt } from './delivery-detail.tsx'

const TIMEOUT_MS = 20_000

/** Sends a test event to the merchant's webhook, and shows the last ones. */
export function TestEvents() {
  const { t } = useConsoleText()
  const { client, mayResend } = useDeliveriesAccess()
  const cache = useQueryClient()
  const query = testEventsQuery(client)
  const tests = useQuery(query)
  const send = useMutation({
    mutationFn: () => client.send('POST', 'test-events', undefined, testEventReply, TIMEOUT_MS),
    onSettled: () => cache.invalidateQueries({ queryKey: query.queryKey }),
  })
  return (
    <section className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="grow text-l font-semibold">{t('deliveries.tests')}</h2>
        {mayResend && (
          <Button variant="chip" busy={send.isPending} onClick={() => send.mutate()}>
            {t('deliveries.test')}
          </Button>
        )}
      </div>
      <p className="text-s text-ink-2">{t('deliveries.testsHelp')}</p>
      {send.error !== null && <ActFailure error={send.error} />}
      {tests.error !== null && <LoadingFailure error={tests.error} retry={() => void tests.refetch()} />}
      {tests.data?.attempts.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
    </section>
  )
}
