/** Money in a currency whose id now means another currency, on both databases: it is not booked in the old balance. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import { decimal } from '#lib/contract/money.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { sampleCurrency, sampleFact, sampleOnramp } from '../store/testing/sample-rows.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createReceiveWebhook } from './receive-webhook.ts'
import { releasePage } from './release-quarantine.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RULES = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const
const USDT: Currency = sampleCurrency
const ETH: Currency = { id: USDT.id, name: 'Ether', currency_code: 'ETH', symbol: 'Ξ', network: 'Ethereum' }

const deposit = (id: string, currency: Currency, status = 'succeeded') => ({
  event: 'User Deposit',
  transaction: { id, status, currency, amount: 5, tx_hash: `0x${id}` },
  transaction_uuid: id,
  user_reference: 'u',
  merchant_reference: 'us',
})

const purchase = (id: string, { currency_code: code, network }: Currency) => ({
  event: 'User Onramp',
  transaction: { id, status: 'succeeded', to_amount: 5, to_currency: { code, network }, tx_hash: `0x${id}` },
  transaction_uuid: id,
  user_reference: 'u',
  correlation_key: null,
  session_reference: 'o1',
})

describe.each(FLAVOURS)('a changed id on %s', (flavour) => {
  const stores = useStores(flavour)
  beforeEach(async () => {
    await stores.one.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    await stores.one.users.ensure('u', 0)
    await stores.one.onramps.insert(sampleOnramp({ amount: decimal('10') }))
  })

  /** The gateway's list has given the id to another currency, and a person has not decided. */
  const change = () => stores.one.transaction((tx) => tx.currencies.markChanged(USDT.id, ETH))
  /** A person has dismissed the report: the new meaning holds. */
  const take = () => stores.one.transaction((tx) => tx.currencies.replaceListed([ETH], tx.now))

  let receive: ReturnType<typeof createReceiveWebhook>
  beforeEach(() => {
    receive = createReceiveWebhook({ store: stores.one, publicKey, clock: Date.now, toleranceS: 300, ...RULES })
  })

  async function send(event: object): Promise<boolean> {
    const rawBody = Buffer.from(JSON.stringify(event))
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createSign('RSA-SHA256').update(rawBody).update(timestamp).sign(privateKey, 'base64')
    const answer = await receive({ rawBody, signature, timestamp })
    if (answer.status !== 200) throw new Error('refused')
    return answer.duplicate
  }

  const listedAs = (uuid: string, currency: Currency, amount = '5'): ListedRecord => ({
    transaction_uuid: uuid,
    user_reference_id: 'u',
    type: 'Deposit',
    status: 'TXN_PROVIDER_SUCCEEDED',
    inserted_at: new Date().toISOString(),
    cursor: uuid,
    record: JSON.stringify({ uuid, amount }),
    currency,
    fact: sampleFact({
      transaction_uuid: uuid,
      source: 'reconciliation',
      status: 'succeeded',
      currency_id: currency.id,
      currency_code: currency.currency_code,
      network: currency.network,
      amount: decimal(amount),
    }),
  })
  const read = (records: readonly ListedRecord[]) =>
    stores.one.applyRecords('u', records, { ledgerMode: 'embedded', ledgerStartMs: 0 })
  const list = (uuid: string, currency: Currency, amount?: string) => read([listedAs(uuid, currency, amount)])

  const available = async () => (await stores.one.ledger.balance('u', USDT.id)).available
  const lines = () => stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })
  const reasons = async () => (await lines()).map(({ reason, transaction_uuid }) => [reason, transaction_uuid])

  test('a deposit under the new meaning waits until a person has decided; under the old one it is booked', async () => {
    await change()
    await send(deposit('new', ETH))
    await send(deposit('old', USDT))
    expect([await available(), await reasons()]).toEqual(['5', [['unknown_currency', 'new']]])
    const release = async () => releasePage({ store: stores.one, ...RULES }, await lines())
    await release()
    expect([await available(), await reasons()]).toEqual(['5', [['unknown_currency', 'new']]])
    await take()
    await release()
    expect(await reasons()).toEqual([])
    expect(await stores.one.transactions.find('deposit', 'new')).toMatchObject({ currency_code: 'ETH', credited: '5' })
  })

  test('a deposit that the list had told under the new meaning, too, is told no more once it is booked', async () => {
    await change()
    await send(deposit('new', ETH))
    for (const uuid of ['new', 'other']) await list(uuid, ETH)
    await take()
    const waiting = (await lines()).filter(({ reason }) => reason === 'unknown_currency')
    await releasePage({ store: stores.one, ...RULES }, waiting)
    expect(await stores.one.transactions.find('deposit', 'new')).toMatchObject({ credited: '5' })
    expect(await reasons()).toEqual([['contradiction', 'other']])
  })

  test('an applied deposit that is sent again is a duplicate', async () => {
    await send(deposit('old', USDT))
    await change()
    expect([await send(deposit('old', USDT)), await available(), await reasons()]).toEqual([true, '5', []])
  })

  test('a record under the new meaning is reported once, and not booked', async () => {
    await change()
    await list('new', ETH)
    await list('new', ETH)
    expect([await available(), await reasons()]).toEqual(['0', [['contradiction', 'new']]])
    const [line] = await lines()
    expect(JSON.parse(line!.event)).toMatchObject({ stands: { currency_code: 'USDT' }, message: { uuid: 'new' } })
    await stores.one.quarantine.settle(line!.id, { by: 'merchant', now: 1 })
    await list('new', ETH)
    await list('old', USDT)
    expect([await available(), await reasons()]).toEqual(['5', []])
  })

  test('a deposit under the new meaning is not booked either before the list of currencies was read again', async () => {
    await send(deposit('new', ETH))
    expect([await available(), await reasons()]).toEqual(['0', [['unknown_currency', 'new']]])
    await list('new', USDT)
    expect(await available()).toBe('5')
  })

  test('a deposit under the id of the same coin on another network of the list is not booked', async () => {
    const other: Currency = { ...USDT, id: 'c2', network: 'Ethereum' }
    await stores.one.transaction((tx) => tx.currencies.replaceListed([USDT, other], tx.now))
    await send(deposit('swapped', { ...other, id: USDT.id }))
    expect([await available(), await reasons()]).toEqual(['0', [['unknown_currency', 'swapped']]])
    await send(deposit('renamed', { ...USDT, network: 'TRC20' }))
    expect(await available()).toBe('5')
  })

  test('a payout under the new meaning keeps its own names before that', async () => {
    await send({ ...deposit('new', ETH), event: 'User Payout' })
    expect(await stores.one.payouts.find('new')).toMatchObject({
      currency_code: 'ETH',
      network: 'Ethereum',
      owner: null,
    })
  })

  test('a record is not booked either before the list of currencies was read again', async () => {
    await list('new', ETH)
    expect([await available(), await reasons()]).toEqual(['0', [['contradiction', 'new']]])
  })

  test.each(['read', 'commit'])(
    'two meanings of an id that nobody knew, in one %s, are not booked in one balance',
    async (one) => {
      const [btc, sol] = ['Bitcoin', 'Solana'].map((network) => ({
        ...USDT,
        id: 'new',
        currency_code: network,
        network,
      }))
      if (one === 'read') await read([listedAs('later', sol!), listedAs('first', btc!)])
      else await Promise.all([send(deposit('first', btc!)), send(deposit('later', sol!))])
      expect((await stores.one.ledger.balance('u', 'new')).available).toBe('5')
      expect(await reasons()).toEqual([[one === 'read' ? 'contradiction' : 'unknown_currency', 'later']])
    },
  )

  test('a purchase of the old currency is booked while its id waits, and not once the id means another', async () => {
    await change()
    await send(purchase('early', USDT))
    expect([await available(), await reasons()]).toEqual(['5', []])
    await take()
    await stores.one.onramps.insert(sampleOnramp({ id: 'o2', correlation_key: 'k2' }))
    await send({ ...purchase('late', USDT), session_reference: 'o2' })
    expect([await available(), await reasons()]).toEqual(['5', [['unknown_currency', 'late']]])
    expect(await send(purchase('early', USDT))).toBe(true)
  })

  test('a purchase under the new meaning is not booked in the old balance', async () => {
    await change()
    await send(purchase('new', ETH))
    expect([await available(), await reasons()]).toEqual(['0', [['unknown_currency', 'new']]])
  })
})
