export interface BuyDraft {
  readonly amount: string
  /** Null until the user chooses: then it stays for the visit. */
  readonly country: string | null
  readonly fiat: string | null
  /** To a wallet of the user's own. */
  readonly own: boolean
  readonly address: string
}

export const BLANK_PURCHASE: BuyDraft = { amount: '', country: null, fiat: null, own: false, address: '' }

/** A purchase that was paid: the next one has the same country and currency. */
export const PAID: Partial<BuyDraft> = { amount: '', own: false, address: '' }
