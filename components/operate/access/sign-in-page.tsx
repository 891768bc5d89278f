'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '#components/ui/button.tsx'
import { meQuery } from '#lib/browser/operate/me.ts'
import { signIn } from '#lib/browser/operate/passkeys.ts'
import { useConsoleAccess } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AccessFrame } from './access-frame.tsx'
import { PasskeyFailure } from './passkey-fault.tsx'

/** Shown at every address while nobody is signed in; afterwards the page of the address follows. */
export default function SignInPage() {
  const { t } = useConsoleText()
  const { plain } = useConsoleAccess()
  const cache = useQueryClient()
  const attempt = useMutation({
    mutationFn: () => signIn(plain),
    onSuccess: (operator) => cache.setQueryData(meQuery(plain).queryKey, operator),
  })
  useEffect(() => {
    document.title = `${t('page.signIn')} · ${t('console.title')}`
  }, [t])
  return (
    <AccessFrame title={t('signIn.title')}>
      <p className="text-ink-2">{t('signIn.about')}</p>
      {attempt.isError && <PasskeyFailure error={attempt.error} />}
      <Button variant="primary" busy={attempt.isPending} onClick={() => attempt.mutate()}>
        {t('signIn.act')}
      </Button>
      <p className="text-s text-ink-2">{t('signIn.lost')}</p>
    </AccessFrame>
  )
}
