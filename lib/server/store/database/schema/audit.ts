/** The audit log of operators' acts. */

/** One row for each act of an operator and each look at a person's data; rows are only added, and never changed. */
export interface AuditEntriesTable {
  /** 1, 2, 3, … without gaps. */
  seq: number
  at_ms: number
  operator_id: string | null
  operator_name: string
  action: string
  about_kind: string | null
  /** Null, as the four columns below, once the person was erased; of a row that stays, its id stays too. */
  about_id: string | null
  user_reference_id: string | null
  reason: string | null
  /** JSON */
  detail: string | null
  /** Of `personal_digest`. */
  salt: string | null
  /** The digest of what may be erased. */
  personal_digest: string
  outcome: 'begun' | 'done' | 'refused' | 'failed'
  /** The entry whose outcome this one tells. */
  begun_seq: number | null
  /** The hash of the entry before; of the first, the empty text. */
  previous_hash: string
  hash: string
}

/** One row: the end of the chain, which each new entry locks. */
export interface AuditHeadTable {
  id: number
  entries: number
  hash: string
  at_ms: number
}
