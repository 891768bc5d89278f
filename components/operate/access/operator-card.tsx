'use client'

import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Pill } from '#components/ui/tone.tsx'
import { nothing } from '#lib/browser/operate/console-client.ts'
import type { ListedOperator } from '#lib/contract/operate/access.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { RoleDialog } from './role-dialog.tsx'

type Passkey = ListedOperator['passkeys'][number]

type Act = { readonly act: 'role' | 'disable' | 'enable' } | { readonly act: 'revoke'; readonly passkey: Passkey }

/** An operator, the passkeys, and what an admin may change. */
export function OperatorCard({
  operator,
  onInvite,
  onChanged,
}: {
  readonly operator: ListedOperator
  readonly onInvite: () => void
  readonly onChanged: () => Promise<void>
}) {
  const { t } = useConsoleText()
  const self = useOperator()
  const [act, setAct] = useState<Act | null>(null)
  const { id, name, role, disabled_at, last_seen_at, invited_until, passkeys } = operator
  return (
    <li data-row className="grid content-start gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 font-semibold break-words">{name}</h2>
        <Pill tone="plain">{t(`role.${role}`)}</Pill>
        {id === self.id && <Pill tone="ok">{t('operators.you')}</Pill>}
        {disabled_at !== null && <Pill tone="bad">{t('operators.disabled')}</Pill>}
      </div>
      <p className="text-s text-ink-2">
        {last_seen_at === null ? (
          t('operators.neverSeen')
        ) : (
          <>
            {t('operators.lastSeen')} <TimeText iso={last_seen_at} />
          </>
        )}
        {invited_until !== null && (
          <>
            {' · '}
            {t('operators.invited')} <TimeText iso={invited_until} future />
          </>
        )}
      </p>
      {passkeys.length === 0 ? (
        <p className="text-s">{t('operators.noPasskey')}</p>
      ) : (
        <ul className="grid gap-1" aria-label={t('operators.passkeysOf', { name })}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-2.5">
              <KeyRound aria-hidden size={16} className="shrink-0 text-ink-2" />
              <span className="min-w-0 grow text-s break-words">
                {passkey.name}
                <span className="text-ink-2">
                  {' · '}
                  {t('operators.lastUsed')} <TimeText iso={passkey.last_used_at} />
                </span>
              </span>
              <Button
                variant="quiet"
                aria-label={t('operators.revokeNamed', { passkey: passkey.name, name })}
                onClick={() => setAct({ act: 'revoke', passkey })}
              >
                {t('operators.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {disabled_at === null ? (
          <>
            <Button variant="chip" onClick={onInvite}>
              {t('operators.invitePasskey')}
            </Button>
            <Button variant="chip" onClick={() => setAct({ act: 'role' })}>
              {t('operators.changeRole')}
            </Button>
            <Button variant="chip" onClick={() => setAct({ act: 'disable' })}>
              {t('operators.disable')}
            </Button>
          </>
        ) : (
          <Button variant="chip" onClick={() => setAct({ act: 'enable' })}>
            {t('operators.enable')}
          </Button>
        )}
      </div>
      <OperatorActs operator={operator} act={act} onDone={onChanged} onClose={() => setAct(null)} />
    </li>
  )
}

/** The dialog of each act. */
function OperatorActs({
  operator: { id, name, role },
  act,
  onDone,
  onClose,
}: {
  readonly operator: ListedOperator
  readonly act: Act | null
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const change = async (method: 'PUT' | 'POST', path: string, body: object): Promise<void> => {
    await client.send(method, `operators/${id}/${path}`, body, nothing)
    await onDone()
  }
  const passkey = act?.act === 'revoke' ? act.passkey : null
  return (
    <>
      <RoleDialog
        open={act?.act === 'role'}
        name={name}
        role={role}
        onAct={(wanted, reason) => change('PUT', 'role', { role: wanted, reason })}
        onClose={onClose}
      />
      {(['disable', 'enable'] as const).map((which) => (
        <ReasonDialog
          key={which}
          open={act?.act === which}
          title={t(`operators.${which}Title`, { name })}
          act={t(`operators.${which}`)}
          onAct={(reason) => change('PUT', 'access', { enabled: which === 'enable', reason })}
          onClose={onClose}
        >
          <p>{t(`operators.${which}About`)}</p>
        </ReasonDialog>
      ))}
      <ReasonDialog
        open={passkey !== null}
        title={t('operators.revokeTitle', { passkey: passkey?.name ?? '' })}
        act={t('operators.revoke')}
        onAct={(reason) => change('POST', `passkeys/${passkey?.id ?? ''}/revocation`, { reason })}
        onClose={onClose}
      >
        <p>{t('operators.revokeAbout', { name })}</p>
      </ReasonDialog>
    </>
  )
}
