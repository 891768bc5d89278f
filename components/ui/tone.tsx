import CircleCheck from 'lucide-react/icons/circle-check'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import CircleX from 'lucide-react/icons/circle-x'
import Clock from 'lucide-react/icons/clock'
import Dot from 'lucide-react/icons/circle-dot'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import type { Tone } from '#lib/browser/status-display.ts'

/** Each tone has an icon, so that colour is never the only difference. */
const ICONS: Readonly<Record<Tone, typeof Clock>> = {
  wait: Clock,
  ok: CircleCheck,
  bad: CircleX,
  unsure: CircleHelp,
  plain: Dot,
}
const NOTICE_ICONS = { ...ICONS, wait: TriangleAlert }

const PILL: Readonly<Record<Tone, string>> = {
  wait: 'bg-wait-soft text-wait',
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  unsure: 'bg-unsure-soft text-unsure',
  plain: 'bg-sunken text-ink-2',
}
const BACKGROUND: Readonly<Record<Tone, string>> = {
  wait: 'bg-wait-soft',
  ok: 'bg-ok-soft',
  bad: 'bg-bad-soft',
  unsure: 'bg-unsure-soft',
  plain: 'bg-sunken',
}
const ICON_COLOUR: Readonly<Record<Tone, string>> = {
  wait: 'text-wait',
  ok: 'text-ok',
  bad: 'text-bad',
  unsure: 'text-unsure',
  plain: 'text-ink-2',
}

/** A status label. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  const Icon = ICONS[tone]
  return (
    <span
      data-testid="status"
      translate="no"
      data-tone={tone}
      className={`pill inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 text-start text-xs font-semibold ${PILL[tone]}`}
    >
      <Icon aria-hidden size={13} strokeWidth={2.4} className="shrink-0" />
      <span className="min-w-0 hyphens-auto">{children}</span>
    </span>
  )
}

/** A highlighted message: what happened, what it means for the money, what to do. */
export function Notice({
  tone,
  role,
  children,
}: {
  readonly tone: Tone
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}) {
  const Icon = NOTICE_ICONS[tone]
  return (
    <div role={role} className={`notice flex gap-2.5 rounded-small px-3.5 py-3 text-s text-ink ${BACKGROUND[tone]}`}>
      <Icon aria-hidden size={18} className={`mt-px shrink-0 ${ICON_COLOUR[tone]}`} />
      <div className="min-w-0 grow">{children}</div>
    </div>
  )
}

export const toneColour = (tone: Tone): string => ICON_COLOUR[tone]
