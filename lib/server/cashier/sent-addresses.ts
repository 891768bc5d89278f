/** The addresses that a user knows: those they sent to, with the user's notes, and those to compare a new one with. */
import { createHash } from 'node:crypto'
import { comparableAddress, networkKey, splitTag } from '#lib/addresses/index.ts'
import { networkFamily } from '#lib/addresses/network-family.ts'
import type { KnownAddressList, SentAddress } from '#lib/contract/cashier.ts'
import type { AddressNameRequest, AddressesQuery } from '#lib/contract/cashier-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { AddressNote, CashierSession, Store } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'

/** How many addresses are offered. */
export const MOST_OFFERED = 50
/** How many more are for comparison; those that anybody can add to, senders of deposits, come last. */
export const MOST_OTHERS = 1000
/** Of more withdrawals or deposits than this, the others are not looked at. */
const MOST_WITHDRAWALS = 1000
const MOST_DEPOSITS = 5000

type Destination = Awaited<ReturnType<Store['withdrawals']['destinations']>>[number]

/** The same for all spellings of an address and of its network. Another tag is another address. */
export function addressId(network: string, text: string): string {
  const { address, tag } = splitTag(network, text)
  const parts = [networkKey(network), comparableAddress(network, address), tag ?? '']
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}

interface StoredAddress extends SentAddress {
  readonly network: string
}

/** One entry for each address that was not forgotten since the last withdrawal to it, newest first. */
export function sentAddresses(
  destinations: readonly Destination[],
  notes: readonly AddressNote[],
): readonly StoredAddress[] {
  const noted = new Map(notes.map((note) => [note.address_id, note]))
  const found = new Map<string, StoredAddress>()
  for (const { network, wallet_address: address, created_ms } of destinations) {
    const id = addressId(network, address)
    const note = noted.get(id)
    if (found.has(id) || (note?.forgotten_ms ?? -1) >= created_ms) continue
    const last_sent_at = new Date(created_ms).toISOString()
    found.set(id, { id, address, name: note?.name ?? null, last_sent_at, network })
  }
  return [...found.values()]
}

const shown = ({ id, address, name, last_sent_at }: StoredAddress): SentAddress => ({ id, address, name, last_sent_at })

/** The addresses of one network, and those of networks with the same address format, which people confuse with them. */
export function listedAddresses(
  network: string,
  known: {
    readonly sent: readonly StoredAddress[]
    readonly own: readonly { readonly network: string; readonly address: string }[]
    readonly received: readonly { readonly network: string; readonly address: string }[]
  },
): KnownAddressList {
  const family = networkFamily(network)
  const key = networkKey(network)
  const isHere = (of: { readonly network: string }): boolean => networkKey(of.network) === key
  const isAlike = (of: { readonly network: string }): boolean =>
    isHere(of) || (family !== null && networkFamily(of.network) === family)
  const here = known.sent.filter(isHere)
  const elsewhere = known.sent.filter((one) => isAlike(one) && !isHere(one))
  return {
    addresses: here.slice(0, MOST_OFFERED).map(shown),
    others: [
      ...here
        .slice(MOST_OFFERED)
        .map(({ address, last_sent_at }) => ({ address, familiarity: 'sent' as const, last_sent_at })),
      ...elsewhere.map(({ address }) => ({ address, familiarity: 'sent' as const, last_sent_at: null })),
      ...known.own.filter(isAlike).map(({ address }) => ({ address, familiarity: 'own' as const, last_sent_at: null })),
      ...known.received
        .filter(isAlike)
        .map(({ address }) => ({ address, familiarity: 'received' as const, last_sent_at: null })),
    ].slice(0, MOST_OTHERS),
  }
}

export interface SentAddressesOptions {
  readonly store: Pick<Store, 'withdrawals' | 'transactions' | 'addresses' | 'addressNotes'>
  readonly currencies: Pick<CurrencyCache, 'forSession'>
  readonly clock: () => number
}

export function createSentAddresses({ store, currencies, clock }: SentAddressesOptions) {
  const sentBy = async (user: string): Promise<readonly StoredAddress[]> => {
    const [destinations, notes] = await Promise.all([
      store.withdrawals.destinations(user, MOST_WITHDRAWALS),
      store.addressNotes.ofUser(user),
    ])
    return sentAddresses(destinations, notes)
  }

  /** @throws Problem `not_found` for an address to which the user did not send, and for a forgotten one */
  const find = async (user: string, id: string): Promise<StoredAddress> => {
    const found = (await sentBy(user)).find((sent) => sent.id === id)
    if (found === undefined) throw new Problem('not_found', 'There is no such address.')
    return found
  }

  return {
    /** `GET /api/cashier/addresses`. @throws Problem `not_found` for a currency that is not offered */
    async listAddresses(session: CashierSession, { currency_id }: AddressesQuery): Promise<KnownAddressList> {
      const { network } = await currencies.forSession(session, currency_id)
      const user = session.user_reference_id
      const [sent, own, received] = await Promise.all([
        sentBy(user),
        store.addresses.ofUser(user),
        store.transactions.senders(user, MOST_DEPOSITS),
      ])
      return listedAddresses(network, { sent, own, received })
    },

    /** `PUT /api/cashier/addresses/{id}`: an empty name removes it. @throws Problem `not_found` */
    async nameAddress(session: CashierSession, id: string, { name }: AddressNameRequest): Promise<SentAddress> {
      const user = session.user_reference_id
      const found = await find(user, id)
      const given = name === '' ? null : name
      await store.addressNotes.put(user, { address_id: id, name: given, forgotten_ms: null }, clock())
      return { ...shown(found), name: given }
    },

    /** `DELETE /api/cashier/addresses/{id}`: it is offered again after a later withdrawal. @throws Problem `not_found` */
    async forgetAddress(session: CashierSession, id: string): Promise<void> {
      const user = session.user_reference_id
      await find(user, id)
      const now = clock()
      await store.addressNotes.put(user, { address_id: id, name: null, forgotten_ms: now }, now)
    },
  }
}
