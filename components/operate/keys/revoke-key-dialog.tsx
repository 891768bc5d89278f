'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { nothing } from '#lib/browser/operate/console-client.ts'
import type { MerchantKeyView } from '#lib/contract/operate/merchant-keys.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { DialogButtons } from '../ui/dialog-buttons.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { TextEntry } from '../ui/text-entry.tsx'

/** Revokes a key after its name was typed. */
export function RevokeKeyDialog({
  revokes,
  onRevoked,
  onClose,
}: {
  /** Null: closed. */
  readonly revokes: MerchantKeyView | null
  readonly onRevoked: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  return (
    <Dialog
      open={revokes !== null}
      title={t('merchantKeys.revokeTitle', { name: revokes?.name ?? '' })}
      onClose={onClose}
    >
      {revokes !== null && <RevokeKey revokes={revokes} onRevoked={onRevoked} onClose={onClose} />}
    </Dialog>
  )
}

function RevokeKey({
  revokes: { id, name },
  onRevoked,
  onClose,
}: {
  readonly revokes: MerchantKeyView
  readonly onRevoked: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useMutation({
    mutationFn: () => client.send('POST', `keys/${id}/revocation`, { name, reason: reason.trim() }, nothing),
    onSuccess: async () => {
      await onRevoked()
      onClose()
    },
  })
  return (
    <form
      className="grid gap-4 px-5 pt-2 pb-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (typed.trim() === name && !act.isPending) act.mutate()
      }}
    >
      <p>{t('merchantKeys.revokeAbout')}</p>
      <TextEntry
        label={t('merchantKeys.typeName', { name })}
        fault={isTried && typed.trim() !== name ? t('merchantKeys.typeWrong') : null}
        value={typed}
        most={60}
        onChange={setTyped}
      />
      <TextEntry
        label={t('act.reason')}
        hint={t('act.reasonHint')}
        fault={null}
        value={reason}
        most={500}
        onChange={setReason}
      />
      {act.isError && <ActFailure error={act.error} />}
      <DialogButtons act={t('merchantKeys.revoke')} busy={act.isPending} onClose={onClose} />
    </form>
  )
}
