'use client'

import CornerDownRight from 'lucide-react/icons/corner-down-right'
import type { Story } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { EntryDetails } from './entry-details.tsx'
import { EntryTime } from './entry-time.tsx'
import { EntryWords } from './entry-words.tsx'

/** A consequence, in one line. */
export function FollowedLine({ entry, story }: { readonly entry: StoryEntry; readonly story: Story }) {
  return (
    <div className="flex items-start gap-2 ps-3 text-s">
      <CornerDownRight aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 grow">
        <p>
          <EntryWords entry={entry} story={story} />
        </p>
        <EntryDetails entry={entry} />
      </div>
      <EntryTime iso={entry.at} />
    </div>
  )
}
