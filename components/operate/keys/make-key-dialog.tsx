'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { MerchantScope } from '#lib/contract/merchant-scopes.ts'
import { madeMerchantKey } from '#lib/contract/operate/merchant-keys.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { DialogButtons } from '../ui/dialog-buttons.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { TextEntry } from '../ui/text-entry.tsx'
import { ScopesField } from './scopes-field.tsx'

/** Makes a key; then shows it, once. */
export function MakeKeyDialog({
  open,
  onMade,
  onClose,
}: {
  readonly open: boolean
  readonly onMade: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  return (
    <Dialog open={open} title={t('merchantKeys.make')} onClose={onClose}>
      {open && <MakeKey onMade={onMade} onClose={onClose} />}
    </Dialog>
  )
}

function MakeKey({ onMade, onClose }: { readonly onMade: () => Promise<void>; readonly onClose: () => void }) {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly MerchantScope[]>([])
  const [isTried, setTried] = useState(false)
  const order = useMutation({
    mutationFn: () => client.send('POST', 'keys', { name: name.trim(), scopes }, madeMerchantKey),
    onSuccess: onMade,
  })
  if (order.isSuccess) {
    const { key, item } = order.data
    return (
      <div className="grid gap-4 px-5 pt-2 pb-5">
        <p>{t('merchantKeys.once', { name: item.name })}</p>
        <div className="rounded-small bg-sunken px-3 py-2">
          <IdText id={key} name={t('merchantKeys.key')} />
        </div>
        <Button variant="primary" onClick={onClose}>
          {t('merchantKeys.kept')}
        </Button>
      </div>
    )
  }
  return (
    <form
      className="grid gap-4 px-5 pt-2 pb-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (name.trim() !== '' && scopes.length > 0 && !order.isPending) order.mutate()
      }}
    >
      <TextEntry
        label={t('merchantKeys.name')}
        hint={t('merchantKeys.nameHint')}
        fault={isTried && name.trim() === '' ? t('merchantKeys.nameMissing') : null}
        value={name}
        most={60}
        onChange={setName}
      />
      <ScopesField value={scopes} isMissing={isTried && scopes.length === 0} onChange={setScopes} />
      {order.isError && <ActFailure error={order.error} />}
      <DialogButtons act={t('merchantKeys.make')} busy={order.isPending} onClose={onClose} />
    </form>
  )
}
