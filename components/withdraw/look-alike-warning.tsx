'use client'

import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { RefObject } from 'react'
import { compareInGroups, type ComparedGroup, type FamiliarAddress } from '#lib/addresses/look-alike.ts'
import { intlTag } from '#lib/i18n/intl-locale.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useTranslations } from '../context/translations.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

const KNOWN_AS: Readonly<Record<FamiliarAddress['familiarity'], MessageKey>> = {
  sent: 'withdraw.alike.sent',
  own: 'withdraw.alike.own',
  received: 'withdraw.alike.received',
}

const TICK_ID = 'withdraw-compared'

/** Shows the destination and the address that it resembles, and asks for an act of its own before anything is sent. */
export function LookAlikeWarning({
  network,
  destination,
  known,
  compared,
  missed,
  disabled,
  tickRef,
  onCompare,
}: {
  readonly network: string
  readonly destination: string
  readonly known: FamiliarAddress
  /** The box is ticked. */
  readonly compared: boolean
  /** The user pressed Send without the tick. */
  readonly missed: boolean
  readonly disabled: boolean
  readonly tickRef: RefObject<HTMLInputElement | null>
  readonly onCompare: (compared: boolean) => void
}) {
  const { t, locale } = useTranslations()
  const [ours, theirs] = compareInGroups(network, destination, known.address)
  const differing = ours.flatMap(({ differs }, at) => (differs ? [String(at + 1)] : []))
  const groups = new Intl.ListFormat(intlTag(locale), { style: 'narrow' }).format(differing)
  const shownMissed = missed && !compared
  return (
    <div
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-small bg-bad-soft p-3.5 text-s"
      data-testid="look-alike"
    >
      <div role="alert" className="flex gap-2.5">
        <TriangleAlert aria-hidden size={18} className="mt-px shrink-0 text-bad" />
        <div className="grid min-w-0 grow gap-1">
          <b className="font-semibold">{t('withdraw.alike.title')}</b>
          <p>{t('withdraw.alike.why')}</p>
          <p>{t('withdraw.alike.groups', { groups, count: ours.length })}</p>
        </div>
      </div>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <MarkedAddress name={t('withdraw.alike.chosen')} groups={ours} />
        <MarkedAddress name={t(KNOWN_AS[known.familiarity])} groups={theirs} />
      </dl>
      <label className="shown-whole flex min-h-11 items-center gap-2.5 rounded-card border border-field bg-surface px-3.5 py-2">
        <input
          id={TICK_ID}
          ref={tickRef}
          type="checkbox"
          checked={compared}
          disabled={disabled}
          aria-invalid={shownMissed}
          aria-describedby={`${TICK_ID}-note`}
          onChange={(event) => onCompare(event.target.checked)}
          className="size-5 shrink-0 accent-(--accent)"
        />
        <span className="min-w-0">{t('withdraw.alike.tick')}</span>
        <WholeEnd />
      </label>
      <p id={`${TICK_ID}-note`} aria-live="polite" className="text-bad empty:hidden">
        {shownMissed && t('withdraw.alike.tickMissing')}
      </p>
    </div>
  )
}

function MarkedAddress({ name, groups }: { readonly name: string; readonly groups: readonly ComparedGroup[] }) {
  return (
    <div className="rounded-small border border-line bg-surface px-3 py-2">
      <dt className="text-ink-2">{name}</dt>
      <dd>
        <bdi dir="ltr" translate="no" className="-mx-[0.3ch] block font-mono text-m leading-loose rtl:text-right">
          {groups.map(({ text, differs }, at) => (
            <span key={at}>
              {at > 0 && <wbr />}
              {differs ? (
                <mark className="mx-[0.3ch] rounded-[3px] bg-bad-soft px-[0.15ch] font-bold text-bad underline decoration-2 underline-offset-3">
                  {text}
                </mark>
              ) : (
                <span className="mx-[0.3ch] px-[0.15ch]">{text}</span>
              )}
            </span>
          ))}
        </bdi>
      </dd>
    </div>
  )
}
