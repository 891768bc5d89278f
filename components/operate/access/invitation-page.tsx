'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { forgetAllButMe, meQuery } from '#lib/browser/operate/me.ts'
import { acceptInvitation, readInvitation, suggestedPasskeyName } from '#lib/browser/operate/passkeys.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import { useAddress } from '../context/address.tsx'
import { useConsoleAccess } from '../context/client.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { TextEntry } from '../ui/text-entry.tsx'
import { AccessFrame } from './access-frame.tsx'
import { PasskeyFailure } from './passkey-fault.tsx'

const isOver = (error: unknown): boolean =>
  error instanceof RequestFailure && (error.code === 'not_found' || error.code === 'invalid_request')

/** Where an invitation's link leads: it creates a passkey and signs in. */
export default function InvitationPage() {
  const { t } = useConsoleText()
  const { plain } = useConsoleAccess()
  const [token, setToken] = useState(() => window.location.hash.slice(1))
  useEffect(() => {
    // The token stays in no history.
    const strip = (): void =>
      History.prototype.replaceState.call(window.history, window.history.state, '', window.location.pathname)
    // Another link that is opened here loads no document.
    const follow = (): void => {
      setToken(window.location.hash.slice(1))
      strip()
    }
    strip()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(plain, token),
    retry: false,
    staleTime: Infinity,
  })
  useEffect(() => {
    document.title = `${t('page.invitation')} · ${t('console.title')}`
  }, [t])
  if (invitation.isPending) return <p className="sr-only">{t('console.loading')}</p>
  if (invitation.isError) {
    return (
      <AccessFrame title={t('invitation.overTitle')}>
        {isOver(invitation.error) ? (
          <p className="text-ink-2">{t('invitation.over')}</p>
        ) : (
          <LoadingFailure error={invitation.error} retry={() => void invitation.refetch()} />
        )}
      </AccessFrame>
    )
  }
  return <Invitation token={token} operator={invitation.data.operator} />
}

function Invitation({
  token,
  operator,
}: {
  readonly token: string
  readonly operator: { readonly name: string; readonly role: 'viewer' | 'agent' | 'admin' }
}) {
  const { t } = useConsoleText()
  const { go } = useAddress()
  const { plain } = useConsoleAccess()
  const cache = useQueryClient()
  const [name, setName] = useState(() => suggestedPasskeyName(window.navigator.userAgent))
  const isMissing = name.trim() === ''
  const attempt = useMutation({
    mutationFn: () => acceptInvitation(plain, token, name.trim()),
    onSuccess(signedIn) {
      forgetAllButMe(cache)
      cache.setQueryData(meQuery(plain).queryKey, signedIn)
      go(pageHref(''), 'replace')
    },
  })
  const over = attempt.isError && isOver(attempt.error)
  return (
    <AccessFrame title={t('invitation.title', { name: operator.name })}>
      <p className="text-ink-2">{t('invitation.about', { role: t(`role.${operator.role}`) })}</p>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMissing && !attempt.isPending) attempt.mutate()
        }}
      >
        <TextEntry
          label={t('invitation.name')}
          hint={t('invitation.nameHint')}
          fault={isMissing ? t('invitation.nameMissing') : null}
          value={name}
          most={60}
          onChange={setName}
        />
        {over ? (
          <Notice tone="bad" role="alert">
            {t('invitation.over')}
          </Notice>
        ) : (
          attempt.isError && <PasskeyFailure error={attempt.error} />
        )}
        <Button variant="primary" type="submit" busy={attempt.isPending}>
          {t('invitation.act')}
        </Button>
      </form>
    </AccessFrame>
  )
}
