import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import type { AuditEntryView } from '#lib/contract/operate/audit.ts'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import { recordHref, type RecordPage } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { IdText } from '../ui/id-text.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useCodeText } from '../ui/use-code-text.ts'

const TONES: Readonly<Record<AuditEntryView['outcome'], Tone>> = {
  begun: 'unsure',
  done: 'ok',
  refused: 'bad',
  failed: 'bad',
}

/** Kinds of things that have a page. */
const PAGE_OF: Readonly<Record<string, RecordPage>> = {
  user: 'users',
  transaction: 'transactions',
  withdrawal: 'withdrawals',
  payout: 'payouts',
  quarantine: 'quarantine',
  delivery: 'deliveries',
}

function Outcome({ entry: { outcome, code, ended_at } }: { readonly entry: AuditEntryView }) {
  const { t } = useConsoleText()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 max-sm:justify-end" title={ended_at ?? undefined}>
      <Pill tone={TONES[outcome]}>{t(`audit.outcome.${outcome}`)}</Pill>
      {code !== null && <code className="text-xs text-ink-2">{code}</code>}
    </span>
  )
}

/** In words, with the code that the filter takes. */
function Action({ entry: { action } }: { readonly entry: AuditEntryView }) {
  const { actionText } = useCodeText()
  const words = actionText(action)
  return (
    <span className="wrap-break-word">
      {words !== action && <span className="block">{words}</span>}
      <code translate="no" className="font-mono text-xs text-ink-2">
        {action}
      </code>
    </span>
  )
}

/** What it was about: its kind, and its id as a link. */
function About({ entry: { about_kind, about_id, erased } }: { readonly entry: AuditEntryView }) {
  const { t } = useConsoleText()
  if (about_kind === null) return null
  const page = PAGE_OF[about_kind]
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 max-sm:justify-end">
      <span className="text-ink-2">{about_kind}</span>
      {about_id !== null ? (
        <IdText
          id={about_id}
          short={about_id.length > 20}
          name={t('audit.column.about')}
          {...(page !== undefined && { href: recordHref(page, about_id) })}
        />
      ) : (
        erased && <Pill tone="plain">{t('audit.erased')}</Pill>
      )}
    </span>
  )
}

function Details({ entry: { detail } }: { readonly entry: AuditEntryView }) {
  const texts = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return texts.length === 0 ? null : <span className="break-words">{texts.join(', ')}</span>
}

/** @param t texts of the console */
export const auditColumns = (t: (key: ConsoleKey) => string): readonly DataColumn<AuditEntryView>[] => [
  {
    id: 'seq',
    header: t('audit.column.seq'),
    cell: ({ seq }) => <span className="tabular-nums">{seq}</span>,
    names: true,
  },
  { id: 'at', header: t('audit.column.at'), cell: ({ at }) => <TimeText iso={at} /> },
  {
    id: 'operator',
    header: t('audit.column.operator'),
    cell: ({ operator }) => <span className="font-semibold break-words">{operator}</span>,
  },
  {
    id: 'action',
    header: t('audit.column.action'),
    cell: (entry) => <Action entry={entry} />,
  },
  { id: 'about', header: t('audit.column.about'), cell: (entry) => <About entry={entry} /> },
  {
    id: 'user',
    header: t('audit.column.user'),
    cell: ({ user_reference_id: user }) =>
      user === null ? null : <IdText id={user} name={t('audit.column.user')} href={recordHref('users', user)} />,
  },
  {
    id: 'reason',
    header: t('audit.column.reason'),
    cell: ({ reason }) => (reason === null ? null : <span className="break-words">{reason}</span>),
  },
  { id: 'outcome', header: t('audit.column.outcome'), cell: (entry) => <Outcome entry={entry} /> },
  {
    id: 'detail',
    header: t('audit.column.detail'),
    cell: (entry) => <Details entry={entry} />,
    extra: true,
  },
  {
    id: 'hash',
    header: t('audit.column.hash'),
    cell: ({ hash }) => <IdText short id={hash} name={t('audit.column.hash')} />,
    extra: true,
  },
]
