import { Problem } from '#lib/contract/problems.ts'
import type { Story } from '#lib/contract/operate/story.ts'
import { canonicalId } from '#lib/contract/canonical-id.ts'
import type { Store, StoryRows } from '../../store/types.ts'
import { heldPurchase } from './held-purchase.ts'
import type { StoryRules } from './next-steps.ts'
import { tellStory } from './tell-story.ts'

export interface StoryOptions {
  readonly store: Pick<Store, 'stories'>
  readonly rules: Omit<StoryRules, 'nowMs'>
  readonly clock: () => number
}

/** The stories of the console. @throws Problem `not_found` if nothing is stored under the id */
export function createStories({ store, rules, clock }: StoryOptions) {
  /** A purchase that is in quarantine has no row that leads to its session and its deposit: its event does. */
  const ofTransaction = async (uuid: string): Promise<StoryRows | null> => {
    const rows = await store.stories.ofTransaction(uuid)
    const held = rows && heldPurchase(rows)
    return held === null ? rows : store.stories.ofTransaction(uuid, held)
  }
  const told = (rows: StoryRows | null, what: string): Story => {
    if (rows === null) throw new Problem('not_found', `There is no such ${what}.`)
    return tellStory(rows, { ...rules, nowMs: clock() })
  }
  return {
    /** A transaction that only a message in quarantine or a record names has a story, too. */
    transactionStory: async (uuid: string): Promise<Story> =>
      told(await ofTransaction(canonicalId(uuid)), 'transaction'),

    withdrawalStory: async (id: string): Promise<Story> => told(await store.stories.ofWithdrawal(id), 'withdrawal'),
  }
}
