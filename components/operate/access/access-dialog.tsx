'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { Asked } from '#lib/browser/operate/access-gate.ts'
import { forgetAllButMe, forgetOperator, meQuery } from '#lib/browser/operate/me.ts'
import { signIn, touchPasskey } from '#lib/browser/operate/passkeys.ts'
import { signedInOperator } from '#lib/contract/operate/operators.ts'
import { endsSession } from '#lib/browser/request-failure.ts'
import { useAsked, useConsoleAccess } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { PasskeyFailure } from './passkey-fault.tsx'

/** Ends what was asked for without it. After an ended session the sign-in page follows. */
function useDecline(): () => void {
  const { gate } = useConsoleAccess()
  const cache = useQueryClient()
  return () => {
    const hasEnded = gate.asked === 'sign-in'
    gate.answer(false)
    if (hasEnded) void forgetOperator(cache)
  }
}

/**
 * Asks for the passkey when the session has ended, or when an act needs a further touch. What is on the page stays; the
 * call that was refused goes on afterwards.
 */
export default function AccessDialog() {
  const asked = useAsked()
  const decline = useDecline()
  const { t } = useConsoleText()
  const shown = asked ?? 'touch'
  return (
    <Dialog open={asked !== null} title={t(`access.${shown}`)} onClose={decline}>
      {asked !== null && <Ask key={asked} asked={asked} />}
    </Dialog>
  )
}

function Ask({ asked }: { readonly asked: Asked }) {
  const { gate, plain } = useConsoleAccess()
  const { t } = useConsoleText()
  const operator = useOperator()
  const decline = useDecline()
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const attempt = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const signedIn = await (asked === 'touch' ? touchPasskey(plain) : signIn(plain))
      const isSame = signedIn.id === operator.id
      if (!isSame) forgetAllButMe(cache)
      cache.setQueryData(meQuery(plain).queryKey, signedIn)
      // Another operator goes on with nothing of this one.
      gate.answer(isSame)
    } catch (error) {
      if (asked === 'touch' && endsSession(error) && (await hasEnded())) void gate.ask('sign-in')
      else setFailure(error)
      setBusy(false)
    }
  }
  /** A refused passkey and an ended session are refused alike. */
  const hasEnded = (): Promise<boolean> =>
    plain
      .get('me', signedInOperator)
      .then(() => false)
      .catch(endsSession)

  // The press on the act's button still allows the browser to ask for the passkey at once.
  const started = useRef(false)
  useEffect(() => {
    if (asked !== 'touch' || started.current) return
    started.current = true
    void attempt()
  })
  return (
    <div className="grid gap-4 px-5 pt-2 pb-5">
      <p className="text-ink-2">{t(`access.${asked}About`)}</p>
      {failure !== null && <PasskeyFailure error={failure} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={decline}>{t(asked === 'touch' ? 'act.cancel' : 'access.leave')}</Button>
        <Button variant="primary" busy={busy} onClick={() => void attempt()}>
          {t('access.act')}
        </Button>
      </div>
    </div>
  )
}
