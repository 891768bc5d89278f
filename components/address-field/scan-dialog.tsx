'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { scanQr, type CameraFault } from '#lib/browser/scan-qr.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useTranslations, type Translations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/tone.tsx'

const FAULT_MESSAGES: Readonly<Record<CameraFault, LaterKey>> = {
  refused: 'withdraw.scan.refused',
  missing: 'withdraw.scan.missing',
  busy: 'withdraw.scan.busy',
  failed: 'withdraw.scan.failed',
}

/** Shows the camera, and hands over the text of the first QR code. Loaded on demand. */
export default function ScanDialog({
  later,
  open,
  onClose,
  onScan,
}: {
  readonly later: Translations<LaterKey>
  readonly open: boolean
  readonly onClose: () => void
  readonly onScan: (text: string) => void
}) {
  return (
    <Dialog open={open} title={later.t('withdraw.scan.title')} onClose={onClose}>
      {open && <Scanner later={later} onScan={onScan} />}
    </Dialog>
  )
}

function Scanner({
  later,
  onScan,
}: {
  readonly later: Translations<LaterKey>
  readonly onScan: (text: string) => void
}) {
  const { t } = useTranslations()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'starting' | 'running' | CameraFault>('starting')
  const [turn, setTurn] = useState(0)
  const scanned = useEffectEvent(onScan)
  useEffect(() => {
    if (video.current === null) return undefined
    return scanQr(video.current, {
      onPicture: () => setState('running'),
      onFound: (text) => scanned(text),
      onFault: setState,
    })
  }, [turn])
  const isOn = state === 'starting' || state === 'running'
  return (
    <div className="grid min-h-60 grid-cols-[minmax(0,1fr)] gap-3 overflow-y-auto px-5 pt-1 pb-5" data-testid="scanner">
      {isOn ? (
        <p role="status" className="text-s text-ink-2">
          {later.t(state === 'starting' ? 'withdraw.scan.starting' : 'withdraw.scan.hint')}
        </p>
      ) : (
        <Notice tone="unsure" role="alert">
          {later.t(FAULT_MESSAGES[state])}
        </Notice>
      )}
      <div
        aria-hidden
        hidden={!isOn}
        className="relative mx-auto aspect-square w-full max-w-80 overflow-hidden rounded-card bg-[#0d1220]"
      >
        <video ref={video} muted playsInline className="size-full object-cover" />
        <span className="absolute inset-[14%] rounded-card border-2 border-white/80" />
      </div>
      {!isOn && (
        <Button
          onClick={() => {
            setState('starting')
            setTurn(turn + 1)
          }}
        >
          {t('common.retry')}
        </Button>
      )}
    </div>
  )
}
