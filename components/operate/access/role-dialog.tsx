'use client'

import { useState } from 'react'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { useConsoleText } from '../context/texts.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { RoleField } from './role-field.tsx'

/** Changes an operator's role. */
export function RoleDialog({
  open,
  name,
  role,
  onAct,
  onClose,
}: {
  readonly open: boolean
  readonly name: string
  readonly role: OperatorRole
  readonly onAct: (role: OperatorRole, reason: string) => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const [wanted, setWanted] = useState(role)
  return (
    <ReasonDialog
      open={open}
      title={t('operators.roleTitle', { name })}
      act={t('operators.changeRole')}
      onAct={(reason) => onAct(wanted, reason)}
      onClose={onClose}
    >
      <RoleField value={wanted} onChange={setWanted} />
      <p className="text-s text-ink-2">{t('operators.roleAbout', { name })}</p>
    </ReasonDialog>
  )
}
