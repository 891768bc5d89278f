export interface BuyDraft {
  readonly amount: string
  /** Null until the user chooses a country; the choice stays for the visit. */
  readonly country: string | null
  readonly fiat: string | null
  /** The coins go to the user's own wallet. */
  readonly own: boolean
  readonly address: string
}

export const BLANK_PURCHASE: BuyDraft = { amount: '', country: null, fiat: null, own: false, address: '' }

/** The changes after a paid purchase: the next purchase keeps the country and the currency. */
export const PAID: Partial<BuyDraft> = { amount: '', own: false, address: '' }
