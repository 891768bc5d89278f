/** What the merchant was told, and what operators did. */
import * as z from 'zod/mini'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import type { StoryRows } from '../../store/types.ts'
import { entryAt, isoAt } from './entry-base.ts'

const told = z.object({ status: z.string() })

/** An entity is a kind and an id. */
const idOf = (entity: string): string => entity.slice(entity.indexOf(':') + 1)

export const deliveryEntries = ({ deliveries }: StoryRows): readonly StoryEntry[] =>
  deliveries.map(({ cursor, entity, data, created_ms, delivery, attempts }) => ({
    ...entryAt(`delivery:${String(cursor)}`, created_ms, idOf(entity)),
    kind: 'delivery',
    cursor,
    status: told.parse(JSON.parse(data)).status,
    state: delivery?.state ?? 'delivered',
    failures: delivery?.attempts ?? 0,
    attempts: attempts.map(({ began_ms, ended_ms, outcome, error, reply_head, reply_body }) => ({
      ...{ at: isoAt(began_ms), ended_at: isoAt(ended_ms), outcome, error },
      reply: reply_head === null ? null : `${reply_head}\n\n${reply_body ?? ''}`,
    })),
    raw: data,
  }))

/** That somebody looked is no part of what happened. */
const isLook = (action: string): boolean => /\.(?:open|weigh|list|export|search)$/.test(action)

export const actEntries = ({ acts }: StoryRows): readonly StoryEntry[] =>
  acts
    .filter(({ action }) => !isLook(action))
    .map(({ seq, at_ms, about_id, action, operator_name, reason, ended }) => ({
      ...entryAt(`act:${String(seq)}`, at_ms, about_id),
      ...{ kind: 'act', action, operator: operator_name, reason, outcome: ended === 'begun' ? null : ended },
    }))
