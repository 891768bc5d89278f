'use client'

import { Amount } from '../ui/amount.tsx'
import { PlainField } from '../ui/detail-field.tsx'
import { useLaterTranslations } from './use-expectations.ts'

/** Two fields of a list: what the user asked for, and the other amount that was sent. */
export function AskedAndPaid({
  asked,
  paid,
  code,
}: {
  readonly asked: string
  readonly paid: string
  readonly code: string
}) {
  const later = useLaterTranslations()
  return (
    later && (
      <>
        <PlainField name={later.t('paid.asked')}>
          <Amount value={asked} code={code} />
        </PlainField>
        <PlainField name={later.t('paid.sent')}>
          <Amount value={paid} code={code} />
        </PlainField>
      </>
    )
  )
}
