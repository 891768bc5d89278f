/** The shapes of the merchant API. Written by `npm run reference`. */

export type Problem = {
  /** `urn:cashier:problem:` and the code. */
  readonly type: string
  /** For people. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** For people. */
  readonly detail: string
  /** Switch on this. */
  readonly code:
    | 'invalid_request'
    | 'idempotency_mismatch'
    | 'unauthenticated'
    | 'session_ended'
    | 'forbidden_origin'
    | 'flow_not_allowed'
    | 'scope_required'
    | 'declined'
    | 'role_required'
    | 'fresh_passkey_required'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'insufficient_balance'
    | 'outcome_unknown'
    | 'cursor_lost'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'rate_limited'
    | 'internal'
    | 'not_available'
    | 'unsafe_link'
    | 'gateway_misconfigured'
    | 'gateway_unavailable'
    | 'store_unavailable'
  /** Quote it to the operator of the cashier; also in the header `x-request-id`. */
  readonly request_id: string
  /** What is allowed, by the name of the wrong field; `body` is the whole body. */
  readonly errors?: { readonly [name: string]: readonly string[] } | undefined
  /** The id of the withdrawal. */
  readonly withdrawal_id?: string | undefined
  /** With 409 `conflict` of a decision or resolution: the withdrawal's status. */
  readonly withdrawal_status?: string | undefined
  /** With 409 `conflict` of `not_sent`: the payouts of the user that nobody owns. */
  readonly unowned?: readonly string[] | undefined
}

export type CreatedSession = {
  /** The session's id, to end it. */
  readonly session_id: string
  /** Give it to your page. It works once, within 5 minutes. */
  readonly launch_token: string
  /** For top-level use. Open it at once and do not store it. */
  readonly launch_url: string
  /** When the launch token expires: 5 minutes after its creation. */
  readonly expires_at: string
  /** Parts of the session that this cashier does not offer: a flow, or currencies that the gateway does not list. */
  readonly warnings?: readonly string[] | undefined
}

export type TransactionData = {
  /** Null while a withdrawal has none; then `withdrawal_id` is the key. */
  readonly transaction_uuid: string | null
  /** `payout` is a withdrawal, `onramp` a purchase with a card or a bank. */
  readonly kind: 'deposit' | 'payout' | 'onramp'
  /** Its values depend on `kind`: docs/guides/backend.md, "What each event means". */
  readonly status:
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'other'
    | 'pending_authorization'
    | 'awaiting_approval'
    | 'unknown'
    | 'pending'
  /** Null for a purchase that is not settled. A decimal string; never read it into a floating-point number. */
  readonly amount: string | null
  /** The currency's code, such as USDT. */
  readonly currency_code: string
  /** The network, such as Tron. */
  readonly network: string
  /** The transaction's hash on its network. */
  readonly tx_hash: string | null
  /** When it last changed. */
  readonly updated_at: string
  /** Of a purchase: the on-ramp session. */
  readonly session_reference?: string | undefined
  /** The id of the withdrawal. */
  readonly withdrawal_id?: string | undefined
  /** Your own id of the user. Null if the gateway's event names nobody. */
  readonly user_reference_id: string | null
  /** The source: the gateway's webhook or list, or a call of the cashier. */
  readonly source: 'webhook' | 'reconciliation' | 'cashier'
  /** Of a purchase: the session's `metadata`. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined
  /** Of a purchase: the gateway's name of how it was paid. */
  readonly payment_method?: string | undefined
  /** The gateway's name for you, if its event has it. */
  readonly merchant_reference?: string | undefined
}

export type Event = {
  /** Opaque. Store it as text, and send it unchanged. */
  readonly cursor: string
  /** What it is. */
  readonly type: 'transaction.updated'
  /** When it was recorded. */
  readonly created_at: string
  /** The transaction as it is after this change. */
  readonly data: TransactionData
}

export type EventsPage = {
  /** Oldest first. */
  readonly events: readonly Event[]
  /** The next `after`, also on the last page. */
  readonly next_cursor: string
}

export type Balances = {
  /** One for each currency that the user has or had. */
  readonly balances: readonly {
    /** The gateway's id of the currency, from its list or a user's balances. */
    readonly currency_id: string
    /** The currency's code, such as USDT. */
    readonly currency_code: string
    /** The network, such as Tron. */
    readonly network: string
    /** What the user can spend. A decimal string; never read it into a floating-point number. */
    readonly available: string
    /** Held for withdrawals under way. A decimal string; never read it into a floating-point number. */
    readonly held: string
  }[]
}

export type Entry = {
  /** Its id. */
  readonly id: string
  /** When it was booked. */
  readonly booked_at: string
  /** The gateway's id of the currency, from its list or a user's balances. */
  readonly currency_id: string
  /** The currency's code, such as USDT. */
  readonly currency_code: string
  /** The network, such as Tron. */
  readonly network: string
  /** Signed: added to, or taken from, the account. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** Which of the user's accounts: `available`, or `held` for withdrawals under way. */
  readonly account: 'available' | 'held'
  /** Why it was booked: docs/explanation/money.md, "Accounts". */
  readonly reason: string
  /** The gateway's id of the transaction. */
  readonly transaction_uuid?: string | undefined
  /** The id of the withdrawal. */
  readonly withdrawal_id?: string | undefined
  /** The merchant's own id of the adjustment. An adjustment is booked once for each. */
  readonly reference?: string | undefined
}

export type EntriesPage = {
  /** Newest first. */
  readonly entries: readonly Entry[]
  /** The next `after`, also on the last page. */
  readonly next_cursor: string
}

export type Adjustment = {
  /** Your own id of the user. */
  readonly user_reference_id: string
  /** The gateway's id of the currency, from its list or a user's balances. */
  readonly currency_id: string
  /** The amount in the currency. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** The merchant's own id of the adjustment. An adjustment is booked once for each. */
  readonly reference: string
  /** What the user can spend. A decimal string; never read it into a floating-point number. */
  readonly available: string
  /** Held for withdrawals under way. A decimal string; never read it into a floating-point number. */
  readonly held: string
  /** When it was recorded. */
  readonly created_at: string
}

export type ToldRates = {
  /** US dollars for one, by the currency’s id. A decimal string; never read it into a floating-point number. */
  readonly rates: { readonly [name: string]: string }
  /** When you told them. */
  readonly told_at: string
}

export type Withdrawal = {
  /** Its id. */
  readonly id: string
  /** Its present state. */
  readonly status: 'pending_authorization' | 'processing' | 'awaiting_approval' | 'unknown' | 'succeeded' | 'failed'
  /** The amount in the currency. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** The currency's code, such as USDT. */
  readonly currency: string
  /** The network, such as Tron. */
  readonly network: string
  /** Where the payout goes. */
  readonly wallet_address: string
  /** Whether a person at the gateway must approve it. */
  readonly requires_approval: boolean
  /** The gateway's id of the transaction. */
  readonly transaction_uuid: string | null
  /** Why it failed, else null: docs/explanation/money.md, "Failure reasons". */
  readonly failure_reason: string | null
  /** Shown to the user, as one line of at most 500 characters. */
  readonly user_message: string | null
  /** The rules of `WITHDRAWAL_RULES` that caught it. */
  readonly review: readonly ('review_above' | 'review_new_address' | 'review_more_than' | 'wait_for_new_address')[]
  /** Before this time it is not sent; null if no rule makes it wait. */
  readonly wait_until: string | null
  /** It waits for your decision. */
  readonly awaits_decision: boolean
}

export type MerchantWithdrawal = {
  /** Its id. */
  readonly id: string
  /** Its present state. */
  readonly status: 'pending_authorization' | 'processing' | 'awaiting_approval' | 'unknown' | 'succeeded' | 'failed'
  /** The amount in the currency. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** The currency's code, such as USDT. */
  readonly currency: string
  /** The network, such as Tron. */
  readonly network: string
  /** Where the payout goes. */
  readonly wallet_address: string
  /** Whether a person at the gateway must approve it. */
  readonly requires_approval: boolean
  /** The gateway's id of the transaction. */
  readonly transaction_uuid: string | null
  /** Why it failed, else null: docs/explanation/money.md, "Failure reasons". */
  readonly failure_reason: string | null
  /** Shown to the user, as one line of at most 500 characters. */
  readonly user_message: string | null
  /** The rules of `WITHDRAWAL_RULES` that caught it. */
  readonly review: readonly ('review_above' | 'review_new_address' | 'review_more_than' | 'wait_for_new_address')[]
  /** Before this time it is not sent; null if no rule makes it wait. */
  readonly wait_until: string | null
  /** It waits for your decision. */
  readonly awaits_decision: boolean
  /** Your own id of the user. */
  readonly user_reference_id: string
  /** When it was recorded. */
  readonly created_at: string
  /** When it last changed. */
  readonly updated_at: string
  /** Why a person must look at it, else null. `unmatched_payout`: a payout that nobody owns may be its; `overdue`: it has waited `OVERDUE_S` for the gateway. */
  readonly attention: 'unmatched_payout' | 'overdue' | null
  /** The gateway's amount of its payout; null unless it has succeeded. The user is debited `amount`. A decimal string; never read it into a floating-point number. */
  readonly paid_amount: string | null
  /** How a person settled it, else null. What the gateway reports later still counts. */
  readonly resolution: {
    /** A person's answer: whether the gateway sent it. */
    readonly outcome: 'sent' | 'not_sent'
    /** The gateway's id of the transaction. */
    readonly transaction_uuid: string | null
    /** A person's note. */
    readonly note: string | null
    /** When a person settled it. */
    readonly resolved_at: string
    /** `system` if its reason has gone; `merchant` by `MERCHANT_API_KEY`, `merchant:NAME` by another key, `operator:NAME`. */
    readonly settled_by: string
  } | null
}

export type WithdrawalsPage = {
  /** Newest first. */
  readonly withdrawals: readonly MerchantWithdrawal[]
  /** The next `after`, also on the last page. */
  readonly next_cursor: string
}

export type MerchantPayout = {
  /** The gateway's id of the transaction. */
  readonly transaction_uuid: string
  /** Your own id of the user. */
  readonly user_reference_id: string
  /** The gateway's id of the currency, from its list or a user's balances. */
  readonly currency_id: string
  /** The currency's code, such as USDT. */
  readonly currency_code: string
  /** The network, such as Tron. */
  readonly network: string
  /** The amount in the currency. A decimal string; never read it into a floating-point number. */
  readonly amount: string | null
  /** The address that was paid. */
  readonly to_address: string | null
  /** Its present state. */
  readonly status: 'processing' | 'awaiting_approval' | 'succeeded' | 'failed' | 'other'
  /** When the gateway recorded it; null while only its events have named it. */
  readonly inserted_at: string | null
  /** When the cashier first saw it. */
  readonly first_seen_at: string
  /** Whose it is: a `withdrawal`, `acknowledged` as none of ours, or `before` `LEDGER_START`. Null: nobody’s yet, so a person is asked. */
  readonly owner: 'withdrawal' | 'acknowledged' | 'before' | null
  /** The id of the withdrawal. */
  readonly withdrawal_id: string | null
  /** A person's note. */
  readonly note: string | null
}

export type PayoutsPage = {
  /** Newest first. */
  readonly payouts: readonly MerchantPayout[]
  /** The next `after`, also on the last page. */
  readonly next_cursor: string
}

export type TransactionsPage = {
  /** The rows of this page. */
  readonly edges: readonly {
    /** Opaque. Store it as text, and send it unchanged. */
    readonly cursor: string
    /** When the gateway recorded it. */
    readonly inserted_at: string
    /** The gateway's record, with the cashier's reading of it. */
    readonly node: {
      /** The gateway's id of the transaction. */
      readonly transaction_uuid: string | null
      /** What it is. */
      readonly type: string
      /** The gateway's own status. */
      readonly status: string
      /** The gateway's status for the merchant. */
      readonly merchant_status: string | null
      /** The amount in the currency. A decimal string; never read it into a floating-point number. */
      readonly amount: string
      /** The gateway's estimate in US dollars. A decimal string; never read it into a floating-point number. */
      readonly amount_usd: string | null
      /** The gateway's record of the currency. */
      readonly currency: {
        /** Its id. */
        readonly id: string
        /** The currency's code, such as USDT. */
        readonly code: string
        /** The currency's name. */
        readonly name: string
        /** The currency's symbol. */
        readonly symbol: string
        /** The network, such as Tron. */
        readonly network: string
        /** An https address. */
        readonly currency_icon?: string | null | undefined
        /** An https address. */
        readonly network_icon?: string | null | undefined
        /** The token's contract. */
        readonly token_address?: string | null | undefined
      }
      /** The gateway's key of a purchase. */
      readonly correlation_key: string | null
      /** The address that paid. */
      readonly from_address: string | null
      /** The address that was paid. */
      readonly to_address: string | null
      /** The transaction's hash on its network. */
      readonly tx_hash: string | null
      /** Why it failed, else null: docs/explanation/money.md, "Failure reasons". */
      readonly failure_reason: string | null
      /** The gateway's name of `user_reference_id`. */
      readonly user_ref_id: string
      /** When the gateway recorded it. */
      readonly inserted_at: string
      /** When it last changed. */
      readonly updated_at: string | null
      /** When the gateway completed it. */
      readonly completed_at: string | null
      /** The cashier's reading of the gateway's status. */
      readonly cashier_status:
        'pending' | 'processing' | 'awaiting_approval' | 'unknown' | 'succeeded' | 'failed' | 'other'
      /** The id of the withdrawal. */
      readonly withdrawal_id?: string | undefined
      /** Of a purchase: the on-ramp session. */
      readonly session_reference?: string | undefined
      /** Of a purchase: the paid amount, in `from_currency`. A decimal string; never read it into a floating-point number. */
      readonly from_amount?: string | null | undefined
      /** Of a purchase: an ISO 4217 code. */
      readonly from_currency?: string | null | undefined
      /** Of a purchase: the gateway's name of how it was paid. */
      readonly payment_method?: string | null | undefined
      /** Shown to the user, as one line of at most 500 characters. */
      readonly user_message?: string | null | undefined
      /** Of a withdrawal: when the gateway was asked to send it. */
      readonly called_at?: string | null | undefined
      /** Of a withdrawal of which the gateway paid another amount: what the user asked for. A decimal string; never read it into a floating-point number. */
      readonly asked_amount?: string | undefined
      /** The gateway's amount of its payout; null unless it has succeeded. The user is debited `amount`. A decimal string; never read it into a floating-point number. */
      readonly paid_amount?: string | undefined
      /** Your own id of the user. */
      readonly user_reference_id: string
      /** The gateway's name for you, if its event has it. */
      readonly merchant_reference: string | null
    }
  }[]
  /** The place of the page in the list. */
  readonly page_info: {
    /** Of the first row. */
    readonly start_cursor: string | null
    /** Of the last row. */
    readonly end_cursor: string | null
    /** Whether `after` has more. */
    readonly has_next_page: boolean
    /** Whether `before` has more. */
    readonly has_previous_page: boolean
  }
  /** Of the whole list; null if the gateway's is unreadable. */
  readonly total_count: number | null
  /** How many unreadable records the page leaves out. Absent for none. */
  readonly left_out?: number | undefined
}

export type QuarantineItem = {
  /** Its id. */
  readonly id: string
  /** Why it is in quarantine: docs/explanation/money.md, "Quarantine reasons". */
  readonly reason: string
  /** When it came. */
  readonly received_at: string
  /** The JSON as received, with every digit of its numbers. */
  readonly event: unknown
  /** When it was settled; null while it is open. */
  readonly settled_at: string | null
  /** `system` if its reason has gone; `merchant` by `MERCHANT_API_KEY`, `merchant:NAME` by another key, `operator:NAME`. */
  readonly settled_by: string | null
  /** A person's note. */
  readonly note: string | null
}

export type QuarantinePage = {
  /** Oldest first. */
  readonly items: readonly QuarantineItem[]
  /** The next `after`, also on the last page. */
  readonly next_cursor: string
}

export type QuarantineResolution = {
  /** The result: `applied`, `seen`, `dismissed`, or the reason that remains. */
  readonly outcome: string
  /** The event, as in the list. */
  readonly item: QuarantineItem
}

export type Redelivery = {
  /** How many events will be sent again. */
  readonly queued: number
}

export type DeliveryView = {
  /** The address of the frame. */
  readonly view_url: string
  /** What stands in `view_url`. It works once, within 5 minutes. */
  readonly token: string
  /** When the launch token expires: 5 minutes after its creation. */
  readonly expires_at: string
}

export type TestEventResult = {
  /** The HTTP status of the merchant's answer; null for none. */
  readonly status: number | null
  /** How long the answer took. */
  readonly milliseconds: number
  /** Why no answer came. */
  readonly error: string | null
}

export type Connection = {
  /** The client's address, by TRUST_PROXY. */
  readonly client_address: string
  /** How many addresses X-Forwarded-For had. */
  readonly forwarded_entries: number
  /** The setting TRUST_PROXY. */
  readonly trust_proxy: number
}

export type TransactionUpdated = {
  /** What it is. */
  readonly type: 'transaction.updated'
  /** When the change was recorded. */
  readonly timestamp: string
  /** Opaque. Store it as text, and send it unchanged. */
  readonly cursor: string
  /** The transaction as it is after this change. */
  readonly data: TransactionData
}

export type TestEvent = {
  /** What it is. */
  readonly type: 'test'
  /** When the change was recorded. */
  readonly timestamp: string
  /** The transaction as it is after this change. */
  readonly data: { readonly [name: string]: unknown }
}

export type AuthorizationRequest = {
  /** The id of the withdrawal. */
  readonly withdrawal_id: string
  /** Your own id of the user. */
  readonly user_reference_id: string
  /** The amount in the currency. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** The currency of the withdrawal. */
  readonly currency: {
    /** Its id. */
    readonly id: string
    /** The currency's code, such as USDT. */
    readonly currency_code: string
    /** The network, such as Tron. */
    readonly network: string
  }
  /** Where the payout goes. */
  readonly wallet_address: string
}

export type AuthorizationReply = {
  /** `postpone` leaves it `pending_authorization` until the decision call. */
  readonly decision: 'approve' | 'decline' | 'postpone'
  /** Shown to the user, as one line, cut after 500 characters. */
  readonly user_message?: string | null | undefined
}

export type CreateSessionRequest = {
  /** Your own id of the user. */
  readonly user_reference_id: string
  /** What the session offers, in this order; the launch leads to the first. All, if left out. */
  readonly flows?: readonly ('deposit' | 'withdraw' | 'buy' | 'history')[] | undefined
  /** A language tag. The cashier uses its nearest language, else English. */
  readonly locale?: string | undefined
  /** `auto` follows the device. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** Colours, radius and font: docs/guides/embed.md, "Colours and font". */
  readonly tokens?: { readonly [name: string]: string } | undefined
  /** https. Linked wherever something goes wrong. */
  readonly support_url?: string | undefined
  /** ISO 3166-1 alpha-2. Presets and locks the country of a purchase. */
  readonly country?: string | undefined
  /** Which currencies the page offers. History, stream and balances show all. */
  readonly currency_ids?: readonly string[] | undefined
  /** http or https, of an origin in EMBED_ORIGINS: where the user goes after the cashier at top level. */
  readonly return_url?: string | undefined
  /** Whose account it is, at most 60 characters of plain text. The page shows it at top level. */
  readonly account_label?: string | undefined
  /** The name of your site, at most 60 characters of plain text: "Return to …", and on receipts. */
  readonly merchant_name?: string | undefined
  /** Your own data, at most 2048 bytes as JSON, with long numbers as text. It goes to the gateway with purchases and comes back with their events. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined
  /** Allows a purchase to the user's own address; it then credits nobody. */
  readonly own_wallet?: boolean | undefined
}

export type AdjustmentRequest = {
  /** The gateway's id of the currency, from its list or a user's balances. */
  readonly currency_id: string
  /** Signed, not zero. A decimal string; never read it into a floating-point number. */
  readonly amount: string
  /** The merchant's own id of the adjustment. An adjustment is booked once for each. */
  readonly reference: string
}

export type RatesRequest = {
  /** US dollars for one, by the currency’s id. A decimal string; never read it into a floating-point number. */
  readonly rates: { readonly [name: string]: string }
}

export type WithdrawalDecisionRequest = {
  /** Whether the withdrawal may continue. */
  readonly decision: 'approve' | 'decline'
  /** Shown to the user, as one line of at most 500 characters. */
  readonly user_message?: string | null | undefined
}

export type WithdrawalResolutionRequest =
  | {
      /** Whether the gateway sent it. */
      readonly outcome: 'sent'
      /** The gateway's id of the transaction. */
      readonly transaction_uuid: string
      /** A person's note. */
      readonly note?: string | null | undefined
    }
  | {
      /** Whether the gateway sent it. */
      readonly outcome: 'not_sent'
      /** A person's note. */
      readonly note?: string | null | undefined
    }

export type PayoutOwnerRequest =
  | {
      /** The id of the withdrawal. */
      readonly withdrawal_id: string
      /** A person's note. */
      readonly note?: string | null | undefined
    }
  | {
      /** It belongs to no withdrawal of this cashier. */
      readonly acknowledged: true
      /** A person's note. */
      readonly note: string
    }

export type QuarantineResolutionRequest = {
  /** `apply` tries the event again now; `dismiss` settles it unapplied. */
  readonly action: 'apply' | 'dismiss'
  /** A person's note. */
  readonly note?: string | null | undefined
}

export type RedeliveryRequest =
  | {
      /** Cursors of the feed's events to send again. */
      readonly cursors: readonly string[]
    }
  | {
      /** All events that are no longer tried. */
      readonly dead: true
    }
  | {
      /** Events created from this time on. */
      readonly since: string
      /** Events created before this time. */
      readonly until?: string | undefined
      /** Only these; any by default. */
      readonly state?: 'waiting' | 'failing' | 'dead' | 'delivered' | undefined
    }
