'use client'

import type { SearchHit, SearchReply } from '#lib/contract/operate/search.ts'
import { ConsoleLink } from '../context/address.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { isMovementStatus, StatusBadge } from '../ui/status-badge.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useReasonText } from '../ui/use-reason-text.ts'

/** What was found, by kind, with what a person needs to choose. */
export function SearchGroups({
  groups,
  isOld,
}: {
  readonly groups: SearchReply['groups']
  /** Of the text before. */
  readonly isOld: boolean
}) {
  const { t } = useConsoleText()
  return (
    <div className={`grid gap-6 ${isOld ? 'opacity-60' : ''}`} aria-busy={isOld}>
      {groups.map(({ kind, hits, more }) => (
        <section key={kind} aria-labelledby={`found-${kind}`}>
          <h2 id={`found-${kind}`} className="mb-2 text-s font-semibold text-ink-2">
            {t(`search.kind.${kind}`)}
          </h2>
          <ul className="overflow-hidden rounded-card border border-line bg-surface">
            {hits.map((hit) => (
              <li key={`${hit.page} ${hit.id}`} className="border-line not-last:border-b">
                <Hit hit={hit} />
              </li>
            ))}
          </ul>
          {more && <p className="mt-1 text-s text-ink-2">{t('search.more')}</p>}
        </section>
      ))}
    </div>
  )
}

function Hit({ hit }: { readonly hit: SearchHit }) {
  const { t } = useConsoleText()
  const { id, page, by, amount, currency_code, network, user_reference_id: user, at, kind } = hit
  return (
    <ConsoleLink
      href={pageHref(page)}
      data-row
      className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-sunken"
    >
      <code translate="no" className="font-mono text-s break-all text-accent">
        {id}
      </code>
      <span className="text-end text-s">
        {amount !== null && <AmountText amount={amount} code={currency_code ?? undefined} network={network} />}
        {amount === null && currency_code !== null && <span translate="no">{`${currency_code} ${network ?? ''}`}</span>}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-s text-ink-2">
        <HitStatus hit={hit} />
        {user !== null && kind !== 'user' && (
          <span translate="no" className="break-all">
            {t('search.ofUser', { user })}
          </span>
        )}
        {by !== 'id' && by !== 'number' && <span>{t(`search.by.${by}`)}</span>}
      </span>
      <span className="text-end text-s text-ink-2">{at !== null && <TimeText iso={at} />}</span>
    </ConsoleLink>
  )
}

const SESSION_STATES = { open: 'search.open', ended: 'search.ended' } as const
const DELIVERY_STATES = { pending: 'search.pending', dead: 'search.dead' } as const
const OWNERS = {
  unowned: 'owner.none',
  withdrawal: 'owner.withdrawal',
  acknowledged: 'owner.acknowledged',
  before: 'owner.before',
} as const

const isKeyOf = <T extends object>(names: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(names, name)

/** In the words of the kind's own list. */
function HitStatus({ hit: { kind, status } }: { readonly hit: SearchHit }) {
  const { t } = useConsoleText()
  const reasonText = useReasonText()
  if (status === null) return null
  if (kind === 'quarantine') return <span>{status === 'settled' ? t('search.settled') : reasonText(status)}</span>
  if (kind === 'payout' && isKeyOf(OWNERS, status))
    return <span>{t('search.owner', { owner: t(OWNERS[status]) })}</span>
  if (kind === 'session' && isKeyOf(SESSION_STATES, status)) return <span>{t(SESSION_STATES[status])}</span>
  if (kind === 'delivery' && isKeyOf(DELIVERY_STATES, status)) return <span>{t(DELIVERY_STATES[status])}</span>
  return isMovementStatus(status) ? <StatusBadge status={status} /> : <span translate="no">{status}</span>
}
