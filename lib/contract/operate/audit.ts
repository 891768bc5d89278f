/** The audit log of the console. */
import * as z from 'zod/mini'
import { addressOf, queryOf, type ListAddress } from './list-address.ts'
import { countField, patternField, textField, timeField } from '../request-fields.ts'

/** The filters of the list, as text of a query; a name that is left out filters nothing. */
const filters = {
  /** The name of who acted. */
  operator: z.optional(textField(100, 1)),
  action: z.optional(textField(100, 1)),
  /** A user, or the id of what an act was about. */
  about: z.optional(textField(300, 1)),
  from: z.optional(timeField),
  to: z.optional(timeField),
}
export const AUDIT_FILTERS = ['operator', 'action', 'about', 'from', 'to'] as const

export const auditFileQuery = z.object(filters)
export type AuditFileQuery = z.output<typeof auditFileQuery>

export const auditQuery = z.object({
  ...filters,
  /** The number of the last entry of the page before. */
  before: z.optional(z.pipe(patternField(/^[1-9]\d{0,14}$/, 'must be a number'), z.transform(Number))),
  limit: z.prefault(countField(1, 200), '50'),
})
export type AuditQuery = z.output<typeof auditQuery>

/** What the address of the page may have; the page leaves out what is not valid. */
export const AUDIT_ADDRESS = addressOf(auditQuery.shape)

/** The query for the server. */
export const auditPageQuery = (state: ListAddress): string => queryOf(state, [...AUDIT_FILTERS, 'before'])

/** The query of a file: without the page. */
export const auditFileText = (state: ListAddress): string => queryOf(state, AUDIT_FILTERS)

/** `begun`: nothing is known of the end; the process may have died, or the act is under way. */
const AUDIT_OUTCOMES = ['begun', 'done', 'refused', 'failed'] as const

export const auditEntryView = z.object({
  seq: z.number(),
  at: z.string(),
  /** A name; `command` for a command on the machine. */
  operator: z.string(),
  action: z.string(),
  about_kind: z.nullable(z.string()),
  about_id: z.nullable(z.string()),
  user_reference_id: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** When the outcome was stored; null for what has no entry of its own for it. */
  ended_at: z.nullable(z.string()),
  /** Of a refusal: the code of the problem. */
  code: z.nullable(z.string()),
  /** Its person was erased, and what belonged to them with it. */
  erased: z.boolean(),
  hash: z.string(),
})
export type AuditEntryView = z.output<typeof auditEntryView>

export const auditPage = z.object({
  entries: z.array(auditEntryView),
  /** `before` of the next page; null at the end. */
  next: z.nullable(z.string()),
})
export type AuditPage = z.output<typeof auditPage>

/** Whom and what the list can be filtered by. */
export const auditNames = z.object({ operators: z.array(z.string()), actions: z.array(z.string()) })
export type AuditNames = z.output<typeof auditNames>

export const auditCheck = z.object({
  checked_at: z.string(),
  /** How many entries were read, and the hash of the last. */
  entries: z.number(),
  hash: z.string(),
  /** How many of them were blanked when their person was erased. */
  erased: z.number(),
  /** The first entry that is broken; null: the log is whole. */
  fault: z.nullable(z.object({ seq: z.number(), what: z.string() })),
})
export type AuditCheck = z.output<typeof auditCheck>
