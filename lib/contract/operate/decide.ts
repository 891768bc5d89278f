/** The console's decisions about withdrawals, payouts and the quarantine: bodies and replies. */
import * as z from 'zod/mini'
import { merchantPayout, merchantWithdrawal, quarantineItemReply } from '../merchant-replies.ts'
import { storySchema } from './story.ts'
import { identifierField, patternField, textField } from '../request-fields.ts'

const time = z.iso.datetime()

/** Why a person acts: kept with the act, and in the audit log. */
const reason = z
  .string({ error: 'must say why, in 1 to 900 characters' })
  .check(z.regex(/^(?=[\s\S]*\S)[\s\S]{1,900}$/, { error: 'must say why, in 1 to 900 characters' }))

const uuid = z.guid({ error: 'must be a UUID' })
const userMessage = z.optional(z.nullable(textField(500)))

/** `POST /api/operate/withdrawals/{id}/approval` and `…/decline`. */
export const decisionRequest = z.strictObject({ reason, user_message: userMessage })
export type DecisionRequest = z.output<typeof decisionRequest>

/** `POST /api/operate/withdrawals/{id}/resolution`. */
export const settlementRequest = z.discriminatedUnion(
  'outcome',
  [
    z.strictObject({ outcome: z.literal('sent'), transaction_uuid: uuid, reason }),
    z.strictObject({ outcome: z.literal('not_sent'), reason }),
  ],
  { error: 'must be sent or not_sent' },
)
export type SettlementRequest = z.output<typeof settlementRequest>

/** `POST /api/operate/payouts/{uuid}/owner`. */
export const ownershipRequest = z.union(
  [
    z.strictObject({ withdrawal_id: identifierField, reason }),
    z.strictObject({ acknowledged: z.literal(true), reason }),
  ],
  { error: 'must be {"withdrawal_id": "…", "reason": "…"}, or {"acknowledged": true, "reason": "…"}' },
)
export type OwnershipRequest = z.output<typeof ownershipRequest>

/** As many lines of the quarantine as one call may settle. */
const MOST_LINES = 200

/** `POST /api/operate/quarantine/applications` and `…/dismissals`. */
export const linesRequest = z.strictObject({
  ids: z.pipe(
    z
      .array(patternField(/^\d{1,15}$/, 'must be the number of a line'))
      .check(
        z.minLength(1, { error: 'must name at least one line' }),
        z.maxLength(MOST_LINES, { error: `must name at most ${MOST_LINES} lines` }),
      ),
    z.transform((ids) => [...new Set(ids)]),
  ),
  reason,
})
export type LinesRequest = z.output<typeof linesRequest>

/** `POST /api/operate/proposals/{id}/confirmation` and `…/refusal`. */
export const proposalAnswer = z.strictObject({ reason })

/** What an operator proposes, and a second one must confirm. */
export const PROPOSAL_KINDS = ['not_sent', 'sent', 'owner'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/**
 * How a proposal ended. `confirmed`: a second person has confirmed it, and the act is under way, or its process died;
 * `failed`: the act was refused; `void`: its subject had changed.
 */
export const PROPOSAL_OUTCOMES = ['confirmed', 'done', 'failed', 'refused', 'withdrawn', 'void', 'expired'] as const
export type ProposalOutcome = (typeof PROPOSAL_OUTCOMES)[number]

export const proposalSchema = z.object({
  id: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  /** The id of a withdrawal (`not_sent`, `sent`), or the uuid of a payout (`owner`). */
  subject: z.string(),
  user_reference_id: z.string(),
  /** Null if a payout is acknowledged as none of ours. */
  withdrawal_id: z.nullable(z.string()),
  /** Null for `not_sent`. */
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
  reason: z.string(),
  proposed_by: z.string(),
  proposed_at: time,
  expires_at: time,
  /** True for the operator who asks, so that they cannot confirm it. */
  is_own: z.boolean(),
  /** The subject has changed since: nobody can confirm it. */
  is_void: z.boolean(),
  /** Null while it waits for a second person. */
  outcome: z.nullable(z.enum(PROPOSAL_OUTCOMES)),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(time),
  /** Why it failed. */
  detail: z.nullable(z.string()),
})
export type Proposal = z.output<typeof proposalSchema>

/** `GET /api/operate/proposals`: those that wait, oldest first. */
export const proposalsReply = z.object({ proposals: z.array(proposalSchema) })
export type ProposalsReply = z.output<typeof proposalsReply>

const COMPARED_FIELDS = ['user', 'currency', 'address', 'amount', 'time'] as const

/** One row of the comparison of a payout with a withdrawal. */
export const comparedField = z.object({
  field: z.enum(COMPARED_FIELDS),
  is: z.enum(['agree', 'unknown', 'differ']),
  /** What each has; times are ISO 8601. */
  payout: z.nullable(z.string()),
  withdrawal: z.nullable(z.string()),
  /** The payout's amount minus the withdrawal's. */
  amount_over: z.nullable(z.string()),
  /** By how much the payout is older than the withdrawal's call; null if it is not. */
  seconds_before: z.nullable(z.number()),
})
export type ComparedField = z.output<typeof comparedField>

/** What speaks for or against an outcome of a withdrawal, as codes; the console's texts have the sentences. */
export const EVIDENCE_CODES = [
  'reply_accepted',
  'reply_named',
  'no_reply',
  'call_under_way',
  'record_succeeded',
  'record_open',
  'record_failed',
  'webhook_succeeded',
  'webhook_open',
  'webhook_failed',
  'open_payout_fits',
  'open_payout_differs',
  'no_open_payout',
  'payout_of_another',
  'event_unapplied',
  'absent_scans',
  'list_read_without',
  'list_not_read_since',
  'list_unreadable',
  'absence_not_due',
  'restored_since',
  'disputed',
] as const
export type EvidenceCode = (typeof EVIDENCE_CODES)[number]

export const evidenceSchema = z.object({
  code: z.enum(EVIDENCE_CODES),
  /** What speaks for one outcome speaks against the other. */
  speaks_for: z.enum(['sent', 'not_sent', 'neither']),
  /** When it was said or seen. */
  at: z.nullable(time),
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  count: z.nullable(z.number()),
  /** Of a payout without an owner: how it compares with the withdrawal. */
  compared: z.array(comparedField),
})
export type OutcomeEvidence = z.output<typeof evidenceSchema>

/** A payout that a person may name with `sent`. */
const namablePayout = z.object({
  payout: merchantPayout,
  compared: z.array(comparedField),
  /** Naming it needs a second person, since it gets an owner by that. */
  needs_two: z.boolean(),
})

/** `GET /api/operate/withdrawals/{id}/decision`: what a person needs to decide about a withdrawal. */
export const withdrawalDecision = z.object({
  withdrawal: merchantWithdrawal,
  /** Who approved or declined it, and when; null if nobody did in a call of its own. */
  decided: z.nullable(z.object({ by: z.string(), at: time, what: z.enum(['approved', 'declined']) })),
  can_approve: z.boolean(),
  can_decline: z.boolean(),
  can_settle: z.boolean(),
  /** `not_sent` needs a second person. */
  needs_two: z.boolean(),
  /** Of the user's newest session; null: the language of their browser, shown in English here. */
  locale: z.nullable(z.string()),
  /** What the user's page says after each act, in that language; `says` stands before the operator's own words. */
  user_reads: z.object({
    approve: z.string(),
    decline: z.string(),
    sent: z.string(),
    not_sent: z.string(),
    says: z.string(),
  }),
  evidence: z.array(evidenceSchema),
  payouts: z.array(namablePayout),
  proposal: z.nullable(proposalSchema),
})
export type WithdrawalDecision = z.output<typeof withdrawalDecision>

/** A withdrawal that a payout may belong to. */
export const possibleOwner = z.object({
  withdrawal: merchantWithdrawal,
  compared: z.array(comparedField),
  /** The rules say that a person must look at both. */
  is_likely: z.boolean(),
  /** Giving it the payout needs a second person. */
  needs_two: z.boolean(),
})
export type PossibleOwner = z.output<typeof possibleOwner>

/** `GET /api/operate/payouts/{uuid}`: a payout, and what a person needs to say whose it is. */
export const payoutDecision = z.object({
  payout: merchantPayout,
  /** Who gave it its owner, and when; null while it has none, or if its own rules did. */
  settled: z.nullable(z.object({ by: z.string(), at: time })),
  tx_hash: z.nullable(z.string()),
  owners: z.array(possibleOwner),
  /** Acknowledging it needs a second person. */
  needs_two: z.boolean(),
  proposal: z.nullable(proposalSchema),
})
export type PayoutDecision = z.output<typeof payoutDecision>

/** What the cashier knows of that which a line of the quarantine is about. */
const lineSubject = z.pick(storySchema, { transactions: true, withdrawal_id: true, comparisons: true })

/** A line about control totals: what the gateway's list adds up to, and what the books say. */
export const lineTotals = z.object({
  currency_code: z.string(),
  network: z.string(),
  gateway: z.string(),
  ledger: z.string(),
  difference: z.string(),
  transactions: z.array(z.object({ transaction_uuid: z.nullable(z.string()), withdrawal_id: z.nullable(z.string()) })),
})
export type LineTotals = z.output<typeof lineTotals>

/** `GET /api/operate/quarantine/{id}`. */
export const quarantineLine = z.object({
  item: z.omit(quarantineItemReply, { event: true }),
  /** What a person in the console did to settle it; null: nobody did, or not there. */
  settled_how: z.nullable(z.enum(['applied', 'dismissed'])),
  /** As it came: a browser would round its long numbers. */
  event_text: z.string(),
  /** `event_text` is a message of the gateway; else it is a report of the cashier. */
  is_event: z.boolean(),
  subject: z.nullable(lineSubject),
  totals: z.nullable(lineTotals),
  /** Of a payout without an owner: the withdrawals that it may belong to, the likeliest first. */
  owners: z.array(possibleOwner),
  user_reference_id: z.nullable(z.string()),
  transaction_uuid: z.nullable(z.string()),
  event_name: z.nullable(z.string()),
  can_apply: z.boolean(),
  /** Dismissing it acknowledges this payout as none of ours. */
  acknowledges: z.nullable(z.string()),
  needs_two: z.boolean(),
  proposal: z.nullable(proposalSchema),
})
export type QuarantineLineReply = z.output<typeof quarantineLine>

/** The result of an act that may need a second person. */
const proposed = z.object({ result: z.literal('proposed'), proposal: proposalSchema })

/** The reply to an approval or a decline. */
export const decidedReply = z.object({ withdrawal: merchantWithdrawal })
/** The reply to a resolution. */
export const settledReply = z.union([z.object({ result: z.literal('done'), withdrawal: merchantWithdrawal }), proposed])
/** The reply to an owner. */
export const ownedReply = z.union([z.object({ result: z.literal('done'), payout: merchantPayout }), proposed])

/** The result of one line: what became of it, or why it stayed. */
export const lineResult = z.object({
  id: z.string(),
  /** `proposed`: a second person must confirm it; `failed`: `detail` says why. */
  result: z.enum(['applied', 'dismissed', 'still_open', 'proposed', 'failed']),
  /** Of a line that is still open: the reason that remains. */
  reason: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  /** Of a line that another was faster to settle. */
  settled_by: z.nullable(z.string()),
  settled_at: z.nullable(time),
})
export type LineResult = z.output<typeof lineResult>
export const linesReply = z.object({ results: z.array(lineResult) })
export type LinesReply = z.output<typeof linesReply>

/** The reply to a confirmation or refusal. */
export const proposalReply = z.object({ proposal: proposalSchema })
