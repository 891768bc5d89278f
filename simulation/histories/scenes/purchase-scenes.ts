/** Scenes of purchases with a card or a bank. */
import type { Arrival, HistoryScene, Message, SessionPlan } from '../story.ts'
import {
  digits,
  MERCHANT,
  named,
  OTHER_MERCHANT,
  purchaseWebhook,
  withValue,
  type JsonObject,
  type WirePurchase,
} from '../wire.ts'
import { D1, D2, deposit, depositMessages, type DepositStory } from './deposit-scenes.ts'
import { calm, event, hash, NOTHING, scene, type Part } from './scene-parts.ts'

const SESSION = { id: 'session-1', key: `${MERCHANT}:session-1`, fiat: '10' } as const satisfies SessionPlan
const SESSION_2 = { id: 'session-2', key: `${MERCHANT}:session-2`, fiat: '14' } as const satisfies SessionPlan
const O1 = named('c1')
const O2 = named('c2')
const BOUGHT = '5.250000000000000003'

const PURCHASE: WirePurchase = {
  uuid: O1,
  amount: BOUGHT,
  fiat: SESSION.fiat,
  hash: hash('c1'),
  key: SESSION.key,
  session: SESSION.id,
}

type PurchaseStatus = 'pending' | 'processing' | 'succeeded' | 'failed'

const purchaseEvents = (bought: WirePurchase, states: readonly PurchaseStatus[]): readonly Message[] =>
  states.map((status) => event(`event ${bought.uuid.slice(-4)} ${status}`, purchaseWebhook(bought, status)))

/** A purchase by our session, and the deposit that the list has of it. */
function purchase(states: readonly PurchaseStatus[], became: DepositStory | null, more: Partial<Arrival> = {}): Part {
  const arrived = became === null ? states.includes('succeeded') : became.listed.at(-1) === 'succeeded'
  return {
    ...NOTHING,
    sessions: [SESSION],
    messages: [...purchaseEvents(PURCHASE, states), ...(became === null ? [] : depositMessages(became))],
    arrivals: [
      {
        uuids: [O1, ...(became === null ? [] : [became.uuid])],
        amount: arrived ? (became?.amount ?? BOUGHT) : '0',
        ...(became === null && { toldBy: `event ${O1.slice(-4)} succeeded` }),
        ...(became?.webhooks?.length === 0 && { toldBy: `list ${became.uuid.slice(-4)} succeeded` }),
        ...more,
      },
    ],
  }
}

const BECAME: DepositStory = {
  uuid: D1,
  listed: ['processing', 'succeeded'],
  webhooks: ['succeeded'],
  amount: BOUGHT,
  hash: PURCHASE.hash,
  key: PURCHASE.key,
}

const BRIEFLY: DepositStory = { ...BECAME, listed: ['succeeded'], webhooks: [] }

const STATES = ['pending', 'processing', 'succeeded'] as const
const foreign = (
  name: string,
  bought: Partial<WirePurchase>,
  states: readonly PurchaseStatus[] = ['succeeded'],
): Part => ({
  ...NOTHING,
  messages: purchaseEvents(
    { ...PURCHASE, uuid: O2, amount: '1000000', fiat: '1000000', hash: hash('c2'), ...bought },
    states,
  ).map((message) => ({ ...message, name: `${name}: ${message.name}` })),
})

/** A purchase by our session with one value that cannot be. */
const oddPurchase = (name: string, path: readonly string[], value: string): Part => ({
  ...NOTHING,
  sessions: [SESSION],
  messages: [event(name, withValue(purchaseWebhook(PURCHASE, 'succeeded'), path, value) as JsonObject)],
})

export const PURCHASES: readonly HistoryScene[] = [
  calm('purchase with its deposit', purchase(STATES, BECAME)),
  scene('purchase, its deposit is not listed', purchase(STATES, null)),
  calm('purchase failed', purchase(['pending', 'processing', 'failed'], null)),
  scene('purchase paid and not delivered', purchase(['pending', 'processing'], null)),
  scene(
    'purchase whose deposit failed',
    purchase(STATES, { ...BECAME, listed: ['processing', 'failed'], webhooks: [] }),
  ),
  calm(
    'purchase and a deposit',
    purchase(['succeeded'], { ...BECAME, listed: ['succeeded'] }),
    deposit({ uuid: D2, listed: ['succeeded'], webhooks: ['succeeded'] }),
  ),
  scene(
    "purchase and another merchant's with our reference",
    purchase(['pending', 'succeeded'], BRIEFLY),
    foreign('foreign', { key: `${OTHER_MERCHANT}:session-9` }, ['processing', 'succeeded']),
  ),
  scene(
    "another merchant's purchase with our reference in their key",
    purchase(['pending'], null),
    foreign('foreign', { key: `${OTHER_MERCHANT}:${SESSION.id}` }, ['pending', 'succeeded']),
  ),
  {
    ...scene(
      "another merchant's purchase with our reference, whose own key was lost",
      foreign('foreign', { key: `${OTHER_MERCHANT}:${SESSION.id}`, amount: '5', fiat: SESSION.fiat }, STATES),
      { ...NOTHING, sessions: [{ ...SESSION, key: null }, SESSION_2] },
    ),
    telling: ['key'],
  },
  {
    ...scene("another merchant's purchase with our key", purchase(['pending'], null), foreign('foreign', {})),
    telling: ['fiat amount', 'fiat currency'],
  },
  scene(
    'a second purchase of one session',
    // Nobody can tell which of the two is the purchase.
    purchase(['processing', 'succeeded'], BRIEFLY, { uuids: [O1, D1, O2] }),
    foreign('second', { amount: '5', fiat: SESSION.fiat }),
  ),
  scene('two purchases with one hash, and the deposit of one', purchase(['succeeded'], BRIEFLY), {
    ...NOTHING,
    sessions: [SESSION_2],
    messages: purchaseEvents(
      { ...PURCHASE, uuid: O2, amount: '7', fiat: SESSION_2.fiat, key: SESSION_2.key, session: SESSION_2.id },
      ['succeeded'],
    ),
    arrivals: [{ uuids: [O2], amount: '7', toldBy: `event ${O2.slice(-4)} succeeded` }],
  }),
  {
    ...scene(
      'a purchase in another fiat currency',
      oddPurchase('event in yen', ['transaction', 'from_currency'], 'JPY'),
    ),
    telling: ['fiat amount', 'fiat currency'],
  },
  {
    ...scene(
      'a purchase of far more',
      oddPurchase('event of a hundredfold', ['transaction', 'from_amount'], digits('1000')),
    ),
    telling: ['fiat amount', 'fiat currency'],
  },
]
