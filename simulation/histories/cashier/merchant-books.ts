/** The books of a merchant who keeps them by the events of the feed, as docs/guides/backend.md says. */
import { canonical, decimal, subtract } from '#lib/contract/money.ts'
import type { FeedItem } from '#lib/server/ledger/outbox.ts'
import type { Books, Credit } from '../port.ts'

/** What the merchant has booked: credits of deposits by their uuids, and the withdrawals that were paid. */
export interface MerchantBooks {
  readonly credits: readonly Credit[]
  readonly paid: readonly string[]
}

export const NO_MERCHANT: MerchantBooks = { credits: [], paid: [] }

/**
 * Books events. A success that comes again has more digits: the difference is booked.
 * @param ledger what the ledger credited while it kept the books, which counts as booked
 */
export function bookEvents(before: MerchantBooks, feed: readonly FeedItem[], ledger: Books['credits']): MerchantBooks {
  const credits = new Map(before.credits.map((one) => [one.uuid, one]))
  const paid = new Set(before.paid)
  for (const { user, event } of feed) {
    const { kind, status, transaction_uuid: uuid, withdrawal_id: id, amount, currency_code, network } = event
    if (status !== 'succeeded') continue
    if (kind === 'payout' && id !== undefined) paid.add(id)
    if (kind !== 'deposit' || uuid === null || user === null || amount === null) continue
    const currency = `${currency_code}@${network}`
    const booked = ledger.find((one) => one.uuid === uuid && one.currency === currency)?.amount ?? '0'
    credits.set(uuid, { user, uuid, currency, amount: canonical(subtract(decimal(amount), decimal(booked))) })
  }
  return { credits: [...credits.values()], paid: [...paid] }
}

/** What an outsider sees, with what the merchant has booked. */
export const withMerchant = (books: Books, { credits, paid }: MerchantBooks): Books => ({
  ...books,
  credits: [...books.credits, ...credits],
  withdrawals: books.withdrawals.map((one) => (paid.includes(one.id) ? { ...one, money: 'paid' } : one)),
})
