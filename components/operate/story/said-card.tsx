'use client'

import CircleUser from 'lucide-react/icons/circle-user-round'
import Landmark from 'lucide-react/icons/landmark'
import ListChecks from 'lucide-react/icons/list-checks'
import Store from 'lucide-react/icons/store'
import UserRoundCheck from 'lucide-react/icons/user-round-check'
import Wallet from 'lucide-react/icons/wallet'
import type { Story } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { useConsoleText } from '../context/texts.tsx'
import { EntryDetails } from './entry-details.tsx'
import { EntryTime } from './entry-time.tsx'
import { EntryWords } from './entry-words.tsx'

type Party = 'user' | 'gateway' | 'list' | 'cashier' | 'merchant' | 'person'

const ICONS: Readonly<Record<Party, typeof Wallet>> = {
  user: CircleUser,
  gateway: Landmark,
  list: ListChecks,
  cashier: Wallet,
  merchant: Store,
  person: UserRoundCheck,
}

/** Who says it. */
const PARTIES: Readonly<Record<StoryEntry['kind'], Party>> = {
  requested: 'user',
  purchase_started: 'user',
  event: 'gateway',
  record: 'list',
  state: 'cashier',
  posting: 'cashier',
  call: 'cashier',
  call_unkept: 'cashier',
  resolution: 'person',
  reported: 'cashier',
  settled: 'person',
  owner: 'cashier',
  delivery: 'cashier',
  act: 'person',
}

/** What somebody said, with its details. */
export function SaidCard({ entry, story }: { readonly entry: StoryEntry; readonly story: Story }) {
  const { t } = useConsoleText()
  const party = PARTIES[entry.kind]
  const Icon = ICONS[party]
  const differs = 'differs' in entry ? entry.differs : []
  return (
    <div
      className={`rounded-card border bg-surface px-3.5 py-2.5 ${differs.length > 0 || entry.kind === 'reported' ? 'border-bad' : 'border-line'}`}
    >
      <div className="flex items-center gap-2">
        <Icon aria-hidden size={16} className="shrink-0 text-ink-2" />
        <span className="min-w-0 grow text-s font-semibold">
          {entry.kind === 'act' ? entry.operator : t(`story.party.${party}`)}
        </span>
        <EntryTime iso={entry.at} />
      </div>
      <p className="mt-0.5 text-s">
        <EntryWords entry={entry} story={story} />
      </p>
      {differs.length > 0 && (
        <p className="mt-1 text-s font-semibold text-bad">
          {t('story.differs', { fields: differs.map((field) => t(`story.field.${field}`)).join(', ') })}
        </p>
      )}
      <EntryDetails entry={entry} />
    </div>
  )
}
