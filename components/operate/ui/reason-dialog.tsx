'use client'

import { useId, useState, type ReactNode } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field, fieldInput } from '#components/ui/field.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import { useConsoleText } from '../context/texts.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

export interface ReasonDialogProps {
  readonly open: boolean
  readonly title: string
  /** What the act does, and to what. */
  readonly children?: ReactNode
  /** The label of the button that acts. */
  readonly act: string
  /** Acts; an error that it throws is shown, and the dialog stays. */
  readonly onAct: (reason: string) => Promise<void>
  readonly onClose: () => void
  /** Called after the act; `onClose` by default. */
  readonly onDone?: () => void
}

const MOST_CHARACTERS = 500

/** An act was refused, and its own part of the dialog says why. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError'
}

/** Asks for the reason of an act, then acts. What was typed stays when the act is refused. */
export function ReasonDialog({ open, title, children, act, onAct, onClose, onDone = onClose }: ReasonDialogProps) {
  const { t } = useConsoleText()
  const id = useId()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const submit = async (): Promise<void> => {
    const text = reason.trim()
    setMissing(text === '')
    if (text === '') return
    setBusy(true)
    setFailure(null)
    try {
      await onAct(text)
      setReason('')
      onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <form
        className="grid gap-4 px-5 pt-2 pb-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        <Field
          id={id}
          label={t('act.reason')}
          hint={t('act.reasonHint')}
          fault={isMissing ? t('act.reasonMissing') : null}
        >
          <textarea
            id={id}
            rows={2}
            maxLength={MOST_CHARACTERS}
            value={reason}
            aria-describedby={`${id}-note`}
            aria-invalid={isMissing}
            className={`${fieldInput} py-2`}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {failure !== null && !(failure instanceof ExplainedError) && <ActFailure error={failure} />}
        <DialogButtons act={act} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Fields of requests, as the dialogs name them. */
const FIELD_NAMES: Readonly<Record<string, ConsoleKey>> = {
  transaction_uuid: 'decide.payoutUuid',
  user_message: 'decide.message',
  reason: 'act.reason',
}

/** What is wrong with the fields, by the names that they have on the screen; null if one has no name there. */
function useFaults(): (errors: Readonly<Record<string, readonly string[]>> | undefined) => string | null {
  const { t } = useConsoleText()
  return (errors = {}) => {
    const faults = Object.entries(errors).map(([field, rules]) => {
      const name = Object.hasOwn(FIELD_NAMES, field) ? FIELD_NAMES[field] : undefined
      return name === undefined ? null : `${t(name)}: ${rules.join(', ')}.`
    })
    return faults.length === 0 || faults.includes(null) ? null : faults.join(' ')
  }
}

/** Why an act was refused. */
export function ActFailure({ error }: { readonly error: unknown }) {
  const { t } = useConsoleText()
  const faultsOf = useFaults()
  const details = error instanceof RequestFailure ? error.details : null
  const detail = faultsOf(details?.errors) ?? details?.detail
  return (
    <Notice tone="bad" role="alert">
      {detail === undefined ? t('act.refusedPlain') : t('act.refused', { detail, requestId: details?.requestId ?? '' })}
    </Notice>
  )
}
