'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import { endSessions } from '#lib/browser/operate/users.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import type { UserSession, UserView } from '#lib/contract/operate/users.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { Nothing, Panel } from './panel.tsx'

const TONES: Readonly<Record<UserSession['state'], Tone>> = {
  launched: 'ok',
  waiting: 'wait',
  ended: 'plain',
  expired: 'plain',
}

const isOpen = ({ state }: UserSession): boolean => state === 'launched' || state === 'waiting'

/** The user's sessions; an agent ends one, or all. */
export function UserSessions({ user, onEnded }: { readonly user: UserView; readonly onEnded: () => void }) {
  const { t } = useConsoleText()
  const mayAct = mayActAs(useOperator().role, 'agent')
  const client = useConsoleClient()
  const [asked, setAsked] = useState<{ readonly session: string | null } | null>(null)
  const act = async (reason: string): Promise<void> => {
    await endSessions(client, user.user_reference_id, { session_id: asked?.session ?? null, reason })
    onEnded()
  }
  const { sessions } = user
  return (
    <Panel
      title={t('users.sessions')}
      actions={
        mayAct &&
        sessions.some(isOpen) && (
          <Button variant="chip" onClick={() => setAsked({ session: null })}>
            {t('users.endAll')}
          </Button>
        )
      }
    >
      {sessions.length === 0 ? (
        <Nothing>{t('users.noSessions')}</Nothing>
      ) : (
        <ul className="grid gap-2.5">
          {sessions.map((session) => (
            <li
              key={session.id}
              data-row
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-t border-line pt-2.5 first:border-t-0 first:pt-0"
            >
              <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                <IdText id={session.id} name={t('users.session')} short />
                <Pill tone={TONES[session.state]}>{t(`users.session.${session.state}`)}</Pill>
              </span>
              {mayAct && isOpen(session) ? (
                <Button
                  variant="quiet"
                  aria-label={t('users.endOne', { id: session.id.slice(0, 8) })}
                  onClick={() => setAsked({ session: session.id })}
                >
                  {t('users.end')}
                </Button>
              ) : (
                <span />
              )}
              <span className="col-span-2 text-ink-2">
                {t('users.sessionUsed')} <TimeText iso={session.last_used_at} />
                {[session.country, session.locale, session.flows.join(', ')]
                  .filter((text) => text !== null && text !== '')
                  .map((text) => ` · ${text ?? ''}`)
                  .join('')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ReasonDialog
        open={asked !== null}
        title={asked?.session === null ? t('users.endAll') : t('users.endOneTitle')}
        act={t('users.end')}
        onAct={act}
        onClose={() => setAsked(null)}
      >
        <p className="text-s text-ink-2">{t('users.endHelp')}</p>
      </ReasonDialog>
    </Panel>
  )
}
