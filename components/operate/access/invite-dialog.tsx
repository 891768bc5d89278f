'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { orderedInvitation, type ListedOperator } from '#lib/contract/operate/access.ts'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { DialogButtons } from '../ui/dialog-buttons.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { TextEntry } from '../ui/text-entry.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { RoleField } from './role-field.tsx'

/** Invites somebody new, or an operator to a further passkey; then shows the link, once. */
export function InviteDialog({
  invites,
  onInvited,
  onClose,
}: {
  /** Null: closed. */
  readonly invites: ListedOperator | 'new' | null
  readonly onInvited: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  return (
    <Dialog open={invites !== null} title={t('operators.invite')} onClose={onClose}>
      {invites !== null && (
        <Invite existing={invites === 'new' ? null : invites.name} onInvited={onInvited} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Invite({
  existing,
  onInvited,
  onClose,
}: {
  /** The name of an operator who gets a further passkey. */
  readonly existing: string | null
  readonly onInvited: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const [name, setName] = useState(existing ?? '')
  const [role, setRole] = useState<OperatorRole>('viewer')
  const [isMissing, setMissing] = useState(false)
  const order = useMutation({
    mutationFn: () =>
      client.send(
        'POST',
        'operators/invitations',
        { name: name.trim(), role: existing === null ? role : null },
        orderedInvitation,
      ),
    onSuccess: onInvited,
  })
  if (order.isSuccess) {
    const { link, expires_at } = order.data
    return (
      <div className="grid gap-4 px-5 pt-2 pb-5">
        <p>{t('operators.linkAbout', { name: order.data.name })}</p>
        <div className="rounded-small bg-sunken px-3 py-2">
          <IdText id={link} name={t('operators.link')} />
        </div>
        <p className="text-s text-ink-2">
          {t('operators.linkEnds')} <TimeText iso={expires_at} future />
        </p>
        <Button variant="primary" onClick={onClose}>
          {t('operators.done')}
        </Button>
      </div>
    )
  }
  return (
    <form
      className="grid gap-4 px-5 pt-2 pb-5"
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(name.trim() === '')
        if (name.trim() !== '' && !order.isPending) order.mutate()
      }}
    >
      {existing === null ? (
        <>
          <TextEntry
            label={t('operators.name')}
            hint={t('operators.nameHint')}
            fault={isMissing ? t('operators.nameMissing') : null}
            value={name}
            most={60}
            onChange={setName}
          />
          <RoleField value={role} onChange={setRole} />
        </>
      ) : (
        <p>{t('operators.furtherPasskey', { name: existing })}</p>
      )}
      {order.isError && <ActFailure error={order.error} />}
      <DialogButtons act={t('operators.makeLink')} busy={order.isPending} onClose={onClose} />
    </form>
  )
}
