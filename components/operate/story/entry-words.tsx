'use client'

import { Fragment, type ReactNode } from 'react'
import type { Story } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { useCodeText } from '../ui/use-code-text.ts'
import { useReasonText } from '../ui/use-reason-text.ts'

type Entry<K extends StoryEntry['kind']> = Extract<StoryEntry, { kind: K }>
type Words = { readonly [K in StoryEntry['kind']]: (entry: Entry<K>) => ReactNode }

/** What an entry says, as a sentence. */
export function EntryWords({ entry, story }: { readonly entry: StoryEntry; readonly story: Story }) {
  const words = useWords()
  const subject = useSubject(story)(entry)
  const say = words[entry.kind] as (entry: StoryEntry) => ReactNode
  return (
    <>
      {subject !== null && <span className="text-ink-2">{subject}: </span>}
      {say(entry)}
    </>
  )
}

/** Which of several transactions an entry is about; null if there is one. */
function useSubject(story: Story): (entry: StoryEntry) => string | null {
  const { t } = useConsoleText()
  const { transactions, withdrawal_id } = story
  const isOne = transactions.length + (withdrawal_id === null ? 0 : 1) < 2
  return ({ about, kind }) => {
    if (isOne || about === null || kind === 'requested' || kind === 'purchase_started') return null
    if (about === withdrawal_id) return t('story.kind.withdrawal')
    const own = transactions.find(({ transaction_uuid }) => transaction_uuid === about)
    if (own?.kind == null) return null
    const alike = transactions.filter(({ kind: other }) => other === own.kind).length
    return alike > 1 ? `${t(`story.kind.${own.kind}`)} ${about.slice(0, 8)}` : t(`story.kind.${own.kind}`)
  }
}

const millis = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from))

function useWords(): Words {
  const { t, rich } = useConsoleText()
  const reasonText = useReasonText()
  const { statusText, actionText } = useCodeText()
  const money = ({ amount, currency_code, network }: { amount: string; currency_code: string; network: string }) => (
    <AmountText amount={amount} code={currency_code} network={network} />
  )
  /** A sentence with an amount in it. */
  const withMoney = (
    key: 'story.said.requested' | 'story.said.posting',
    entry: { readonly amount: string; readonly currency_code: string; readonly network: string },
    values: Readonly<Record<string, string>>,
  ): ReactNode => rich(key, { ...values, amount: () => <Fragment>{money(entry)}</Fragment> })

  return {
    requested: (entry) => withMoney('story.said.requested', entry, {}),
    purchase_started: ({ amount, fiat_currency, currency_code, network }) =>
      rich('story.said.purchase_started', {
        currency: `${currency_code} ${network}`,
        amount: () => <AmountText amount={amount} code={fiat_currency} />,
      }),
    event: ({ event_name, status, outcome }) => {
      const about = { event: event_name ?? t('story.unreadable'), status: status === null ? '–' : statusText(status) }
      if (outcome === 'applied') return t('story.said.eventApplied', about)
      if (outcome === 'seen') return t('story.said.eventSeen', about)
      return t('story.said.eventHeld', { ...about, reason: reasonText(outcome) })
    },
    record: ({ how, status }) => t(`story.said.record.${how}`, { status: statusText(status) }),
    state: ({ status, cause }) =>
      t('story.said.state', { status: statusText(status), cause: t(`story.cause.${cause}`) }),
    posting: (entry) =>
      withMoney('story.said.posting', entry, {
        booking: t(`story.booking.${entry.booking}`),
        from: t(`story.account.${entry.from}`),
        to: t(`story.account.${entry.to}`),
      }),
    call: ({ purpose, status, fault, at, ended_at }) => {
      const ms = millis(at, ended_at)
      const answer = status === null ? t('story.said.noAnswer', { ms }) : t('story.said.answer', { status, ms })
      return `${t(`story.said.call.${purpose}`)} ${answer}${fault === null ? '' : ` ${t('story.said.fault', { fault })}`}`
    },
    call_unkept: ({ ended_at }) => t(ended_at === null ? 'story.said.callUnderWay' : 'story.said.callUnkept'),
    resolution: ({ outcome }) => t(`story.said.resolution.${outcome}`),
    reported: ({ reason }) => t('story.said.reported', { reason: reasonText(reason) }),
    settled: ({ reason, by }) =>
      by === 'system'
        ? t('story.said.settledBySystem', { reason: reasonText(reason) })
        : t('story.said.settled', { reason: reasonText(reason), by: by.replace(/^\w+:/, '') }),
    owner: ({ owner, withdrawal_id }) => (
      <>
        {t(`story.said.owner.${owner}`)}
        {withdrawal_id !== null && (
          <>
            {' '}
            <LinkedId id={withdrawal_id} name={t('story.kind.withdrawal')} page="withdrawals" />
          </>
        )}
      </>
    ),
    delivery: ({ status, state, failures }) =>
      t(`story.said.delivery.${state}`, { status: statusText(status), count: failures }),
    act: ({ action, outcome }) => {
      const words = actionText(action)
      return outcome === 'done' ? words : `${words} (${t(`story.act.${outcome ?? 'open'}`)})`
    },
  }
}
