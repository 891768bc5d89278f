/** Operators of the console: how they sign in, their saved views, and what they propose. */
import type { ProposalKind, ProposalOutcome } from '#lib/contract/operate/decide.ts'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { ViewedList } from '#lib/contract/operate/views.ts'

/** A person who uses the console. Their entries of the audit log stay when they leave, so rows are never deleted. */
export interface OperatorsTable {
  id: string
  /** Unique without regard to case, by `name_key`. */
  name: string
  name_key: string
  role: OperatorRole
  created_ms: number
  /** From then on the operator may not sign in. */
  disabled_ms: number | null
}

export interface OperatorSessionsTable {
  id: string
  operator_id: string
  created_ms: number
  last_used_ms: number
  /** When the operator last used a passkey in this session. */
  touched_ms: number
  ended_ms: number | null
}

/** A view of a list that an operator has saved: at most `MOST_VIEWS` each. */
export interface OperatorViewsTable {
  id: string
  operator_id: string
  list: ViewedList
  /** Unique among the operator's views of the list. */
  name: string
  /** The query of the list's address. */
  query: string
  created_ms: number
}

export interface OperatorPasskeysTable {
  id: string
  operator_id: string
  /** As the authenticator names it; base64url. */
  credential_id: string
  /** COSE; base64url. */
  public_key: string
  /** Of the authenticator's uses; 0 if it counts none. */
  counter: number
  /** JSON: how the browser may reach it. */
  transports: string
  name: string
  created_ms: number
  last_used_ms: number
  revoked_ms: number | null
}

/** Links that invite an operator to a passkey, until they are used. */
export interface OperatorInvitationsTable {
  /** SHA-256, base64url. */
  token_hash: string
  operator_id: string
  created_ms: number
  expires_ms: number
}

/** Challenges that a passkey has signed, until they would be refused anyway. */
export interface OperatorChallengesTable {
  challenge: string
  expires_ms: number
}

/** What an operator has proposed, and a second one must confirm (`operate/decide/`). */
export interface DecisionProposalsTable {
  id: string
  kind: ProposalKind
  /** The id of a withdrawal, or the uuid of a payout. */
  subject: string
  user_reference_id: string
  /** The act, as JSON. */
  content: string
  /** The state that the proposer saw, as text: if it changes, the proposal is void. */
  subject_state: string
  reason: string
  proposed_id: string
  proposed_name: string
  proposed_ms: number
  expires_ms: number
  /** Null while it waits; nobody if its time was over. */
  decided_id: string | null
  decided_name: string | null
  decided_ms: number | null
  outcome: ProposalOutcome | null
  detail: string | null
}
