'use client'

import type { ReactNode } from 'react'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { ConsoleLink } from '../context/address.tsx'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { RawText } from './raw-text.tsx'

type Entry<K extends StoryEntry['kind']> = Extract<StoryEntry, { kind: K }>
type Details = { readonly [K in StoryEntry['kind']]?: (props: { readonly entry: Entry<K> }) => ReactNode }

/** What belongs to an entry: its raw text, times, addresses, a note. */
export function EntryDetails({ entry }: { readonly entry: StoryEntry }) {
  const Found = DETAILS[entry.kind] as ((props: { readonly entry: StoryEntry }) => ReactNode) | undefined
  return Found === undefined ? null : <Found entry={entry} />
}

function Small({ children }: { readonly children: ReactNode }) {
  return <p className="mt-0.5 text-xs text-ink-2">{children}</p>
}

function Note({ text }: { readonly text: string | null }) {
  return text !== null && text !== '' && <p className="mt-1 border-s-2 border-line ps-2.5 text-s">{text}</p>
}

function QuarantineLink({ id }: { readonly id: number }) {
  const { t } = useConsoleText()
  return (
    <ConsoleLink
      href={recordHref('quarantine', id)}
      className="mt-1 inline-flex min-h-6 items-center text-s text-accent underline underline-offset-2"
    >
      {t('story.quarantineLine', { id })}
    </ConsoleLink>
  )
}

function RequestedDetails({ entry: { address, review, wait_until } }: { readonly entry: Entry<'requested'> }) {
  const { t } = useConsoleText()
  return (
    <>
      <div className="mt-0.5">
        <IdText id={address} name={t('story.field.to_address')} />
      </div>
      {review.length > 0 && (
        <Small>{t('story.caughtBy', { rules: review.map((rule) => t(`story.rule.${rule}`)).join(', ') })}</Small>
      )}
      {wait_until !== null && (
        <Small>
          {t('story.notBefore')} <TimeText iso={wait_until} future />
        </Small>
      )}
    </>
  )
}

function PurchaseDetails({ entry: { session_id, wallet_address } }: { readonly entry: Entry<'purchase_started'> }) {
  const { t } = useConsoleText()
  return (
    <>
      <div className="mt-0.5">
        <IdText id={session_id} name={t('story.field.session')} />
      </div>
      {wallet_address !== null && (
        <div>
          <IdText id={wallet_address} name={t('story.field.to_address')} />
        </div>
      )}
    </>
  )
}

function EventDetails({ entry: { sent_at, raw, quarantine_id } }: { readonly entry: Entry<'event'> }) {
  const { t } = useConsoleText()
  return (
    <>
      <Small>
        {t('story.signed')}
        {sent_at !== null && (
          <>
            {' · '}
            {t('story.sentAt')} <TimeText iso={sent_at} exactly />
          </>
        )}
      </Small>
      {quarantine_id !== null && <QuarantineLink id={quarantine_id} />}
      {raw === null ? <Small>{t('story.rawGone')}</Small> : <RawText title={t('story.raw.event')} text={raw} />}
    </>
  )
}

function RecordDetails({ entry: { raw } }: { readonly entry: Entry<'record'> }) {
  const { t } = useConsoleText()
  return raw === null ? null : <RawText title={t('story.raw.record')} text={raw} />
}

function CallDetails({ entry: { request, reply } }: { readonly entry: Entry<'call'> }) {
  const { t } = useConsoleText()
  return (
    <>
      {request !== null && <RawText title={t('story.raw.request')} text={request} />}
      {reply !== null && <RawText title={t('story.raw.reply')} text={reply} />}
    </>
  )
}

function ReportedDetails({ entry: { quarantine_id, raw } }: { readonly entry: Entry<'reported'> }) {
  const { t } = useConsoleText()
  return (
    <>
      <QuarantineLink id={quarantine_id} />
      <RawText title={t('story.raw.evidence')} text={raw} />
    </>
  )
}

function DeliveryDetails({ entry: { cursor, attempts, raw } }: { readonly entry: Entry<'delivery'> }) {
  const { t } = useConsoleText()
  return (
    <>
      <ol className="mt-1 grid gap-1 text-s">
        {attempts.map(({ at, outcome, error }) => (
          <li key={at} className="flex flex-wrap gap-x-2">
            <TimeText iso={at} />
            <span translate="no" className="font-mono">
              {outcome}
            </span>
            {error !== null && <span className="text-ink-2">{error}</span>}
          </li>
        ))}
      </ol>
      <ConsoleLink
        href={recordHref('deliveries', cursor)}
        className="inline-flex min-h-6 items-center text-s text-accent underline underline-offset-2"
      >
        {t('story.delivery', { cursor })}
      </ConsoleLink>
      <RawText title={t('story.raw.delivery')} text={raw} />
    </>
  )
}

function StateDetails({ entry: { words } }: { readonly entry: Entry<'state'> }) {
  const { t } = useConsoleText()
  return words !== null && words !== '' && <Note text={t('story.words', { words })} />
}

const DETAILS: Details = {
  requested: RequestedDetails,
  purchase_started: PurchaseDetails,
  event: EventDetails,
  record: RecordDetails,
  state: StateDetails,
  call: CallDetails,
  reported: ReportedDetails,
  resolution: ({ entry }) => <Note text={entry.note} />,
  settled: ({ entry }) => <Note text={entry.note} />,
  delivery: DeliveryDetails,
  act: ({ entry }) => <Note text={entry.reason} />,
}
