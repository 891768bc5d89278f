'use client'

import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field, fieldInput } from '#components/ui/field.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { requestErasure, type EndedErasure } from '#lib/browser/operate/users.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ExplainedError, ReasonDialog } from '../ui/reason-dialog.tsx'
import { useCodeText } from '../ui/use-code-text.ts'

export type Receipt = Extract<EndedErasure, { state: 'erased' }>
type Open = Extract<EndedErasure, { state: 'open' }>['open']

/** An admin erases a user, after typing the user's reference again. */
export function EraseUserAct({
  user,
  onErased,
}: {
  readonly user: string
  readonly onErased: (receipt: Receipt) => void
}) {
  const { t } = useConsoleText()
  const { kindText, statusText } = useCodeText()
  const { role } = useOperator()
  const client = useConsoleClient()
  const id = useId()
  const [isAsked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [open, setOpen] = useState<Open>([])
  if (!mayActAs(role, 'admin')) return null
  const act = async (reason: string): Promise<void> => {
    setOpen([])
    setWrong(typed.trim() !== user)
    if (typed.trim() !== user) throw new ExplainedError(t('users.eraseWrong'))
    const done = await requestErasure(client, user, { user_reference_id: typed.trim(), reason })
    if (done.state === 'erased') onErased(done)
    else {
      setOpen(done.open)
      throw new ExplainedError(t('users.eraseOpen'))
    }
  }
  return (
    <>
      <Button variant="quiet" className="text-bad!" onClick={() => setAsked(true)}>
        {t('users.erase')}
      </Button>
      <ReasonDialog
        open={isAsked}
        title={t('users.eraseTitle')}
        act={t('users.eraseAct')}
        onAct={act}
        onClose={() => setAsked(false)}
      >
        <p className="text-s text-ink-2">{t('users.eraseHelp')}</p>
        <Field id={id} label={t('users.eraseTyped', { user })} fault={isWrong ? t('users.eraseWrong') : null}>
          <input
            id={id}
            value={typed}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={`${id}-note`}
            aria-invalid={isWrong}
            className={`${fieldInput} font-mono`}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        {open.length > 0 && (
          <Notice tone="bad" role="alert">
            <p className="font-semibold">{t('users.eraseOpen')}</p>
            <ul className="list-disc ps-4">
              {open.map(({ what, id: about, status }) => (
                <li key={`${what} ${about}`} className="wrap-anywhere">
                  {kindText(what)} {about}: {statusText(status)}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </ReasonDialog>
    </>
  )
}
