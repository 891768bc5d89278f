'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field, fieldInput } from '#components/ui/field.tsx'
import {
  DELIVERIES_KEY,
  previewQuery,
  resendIds,
  resendMatching,
  type DeliveryFilterText,
} from '#lib/browser/operate/deliveries.ts'
import { useConsoleText } from '../context/texts.tsx'
import { CloseButton } from '../ui/dialog-buttons.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { useDeliveriesAccess } from './deliveries-access.tsx'
import { fromLocalTime, toLocalTime } from './delivery-filters.tsx'

/** These deliveries, all that match, or all since a time that the dialog asks for. */
export type ResendWhat =
  | { readonly ids: readonly string[]; readonly asOf: string }
  | { readonly filter: DeliveryFilterText }
  | { readonly since: string }

/** Says how many it sends again, and sends them. */
export function ResendDialog({ what, onClose }: { readonly what: ResendWhat; readonly onClose: () => void }) {
  const { t } = useConsoleText()
  const { client } = useDeliveriesAccess()
  const cache = useQueryClient()
  const id = useId()
  const [since, setSince] = useState('since' in what ? what.since : '')
  const filter = 'filter' in what ? what.filter : { from: since }
  const isListed = 'ids' in what
  const preview = useQuery({
    ...previewQuery(client, filter),
    enabled: !isListed && (!('since' in what) || since !== ''),
  })
  const [sentSoFar, setSentSoFar] = useState(0)
  const send = useMutation({
    mutationFn: () =>
      isListed
        ? resendIds(client, what.ids, what.asOf)
        : resendMatching(client, filter, preview.data?.as_of ?? '', setSentSoFar),
    onSettled: () => cache.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  })
  const count = isListed ? what.ids.length : preview.data?.count
  const more = !isListed && preview.data?.more === true
  return (
    <Dialog open title={t('deliveries.resend.title')} onClose={onClose}>
      <div className="grid gap-4 px-5 pt-2 pb-5">
        <p className="text-s text-ink-2">{t('deliveries.resend.about')}</p>
        {'since' in what && (
          <Field id={id} label={t('deliveries.resend.since')} fault={null} hint={t('deliveries.resend.sinceHint')}>
            <input
              id={id}
              type="datetime-local"
              value={toLocalTime(since)}
              aria-describedby={`${id}-note`}
              className={fieldInput}
              onChange={(event) => setSince(fromLocalTime(event.target.value))}
            />
          </Field>
        )}
        {preview.error !== null && <LoadingFailure error={preview.error} retry={() => void preview.refetch()} />}
        <p role="status" className="min-h-6 font-semibold">
          {send.isSuccess
            ? t('deliveries.resend.done', { count: send.data })
            : send.isPending && sentSoFar > 0
              ? t('deliveries.resend.going', { count: sentSoFar })
              : count !== undefined && t(more ? 'deliveries.resend.atLeast' : 'deliveries.resend.count', { count })}
        </p>
        {send.error !== null && <ActFailure error={send.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <CloseButton onClose={onClose}>{send.isSuccess ? t('deliveries.resend.close') : t('act.cancel')}</CloseButton>
          {!send.isSuccess && (
            <Button
              variant="primary"
              busy={send.isPending}
              aria-disabled={count === undefined || count === 0}
              onClick={() => {
                if (count !== undefined && count > 0) send.mutate()
              }}
            >
              {t('deliveries.resend.act')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
