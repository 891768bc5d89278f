/** Delivers the gateway's webhooks, and repeats them until the answer is 200. */
import { inUpperCase, type Told } from './gateway-records.ts'
import type { Faults } from './faults.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { cheapSignature } from './virtual-process.ts'

export interface SignedWebhook {
  readonly rawBody: Uint8Array
  readonly signature: string
  readonly timestamp: string
}

/** The answer to a webhook; null if none came. */
export type WebhookReply = { readonly status: number; readonly duplicate: boolean } | null

/** A message that was answered 200. The gateway never sends it again. */
export interface Answered extends Told {
  readonly duplicate: boolean
  readonly atMs: number
  /** It was too old when it arrived. */
  readonly stale: boolean
}

export interface WebhooksOptions {
  readonly clock: VirtualClock
  readonly faults: Faults
  /** The gateway's clock. */
  readonly gatewayNow: () => number
  /** Delivers a webhook to an instance. Resolves with the answer. */
  readonly deliver: (webhook: SignedWebhook) => Promise<WebhookReply>
  readonly note: (line: string) => void
  readonly onViolation: (violation: string) => void
}

export function signWebhook(body: string, sentMs: number): SignedWebhook {
  const timestamp = String(Math.floor(sentMs / 1000))
  const rawBody = Buffer.from(body, 'utf8')
  const signature = cheapSignature(Buffer.concat([rawBody, Buffer.from(timestamp, 'utf8')])).toString('base64')
  return { rawBody, signature, timestamp }
}

const RETRY_MS = [1000, 5000, 30_000, 60_000, 120_000, 600_000]
/** Longer than the tolerance of five minutes. */
const STALE_MS = 400_000

export class GatewayWebhooks {
  readonly #options: WebhooksOptions
  readonly answered: Answered[] = []
  readonly #count = new Map<string, number>()
  /** Messages on their way. */
  open = 0

  constructor(options: WebhooksOptions) {
    this.#options = options
  }

  /** Sends a message; faults may happen on the way. `mustArrive`: no other message reports this. */
  send(message: Told, { mustArrive = false }: { readonly mustArrive?: boolean } = {}): void {
    const { faults, note } = this.#options
    const name = `${message.kind} ${message.uuid} ${message.status}`
    const count = (this.#count.get(name) ?? 0) + 1
    this.#count.set(name, count)
    const occasion = `${name} #${count}`
    const told = this.#spelled(message, occasion)
    const chance = faults.details(occasion)
    const isLost = faults.happens('webhooks_lost', told.uuid) || faults.happens('webhook_lost', occasion)
    if (!mustArrive && isLost) {
      note(`lost: the webhook ${occasion}`)
      return
    }
    if (faults.happens('webhook_damaged', occasion)) this.#deliverDamaged(told, chance.between(0, 1000))
    if (faults.happens('webhook_unreadable', occasion)) this.#start(unreadable(told), occasion, 5)
    if (faults.happens('webhook_unknown', occasion)) this.#start(ofUnknownStatus(told), occasion, 5)
    const slow = faults.happens('webhook_slow', occasion) ? chance.between(1000, 60_000) : 0
    const signed = this.#sign(told.body)
    if (!mustArrive && faults.happens('webhook_stale', occasion)) {
      this.#attempt(told, signed, occasion, 0, STALE_MS + chance.between(0, 60_000))
      return
    }
    this.#attempt(told, signed, occasion, 0, chance.between(5, 300) + slow)
    const again = `${occasion} again`
    if (faults.happens('webhook_repeated', occasion))
      this.#start(this.#spelled(message, again), again, chance.between(1, 30_000))
  }

  #spelled(told: Told, occasion: string): Told {
    return this.#options.faults.happens('id_case', occasion) ? { ...told, body: inUpperCase(told.body) } : told
  }

  #sign(body: string): SignedWebhook {
    return signWebhook(body, this.#options.gatewayNow())
  }

  #start(told: Told, occasion: string, afterMs: number): void {
    this.#attempt(told, this.#sign(told.body), occasion, 0, afterMs)
  }

  #attempt(told: Told, signed: SignedWebhook, occasion: string, tries: number, afterMs: number): void {
    const { clock, deliver, note } = this.#options
    this.open += 1
    clock.after(afterMs, () => {
      void deliver(signed).then((reply) => {
        this.open -= 1
        note(`webhook ${occasion}: ${reply === null ? 'no answer' : `${reply.status}`}`)
        if (reply?.status === 200) {
          const age = this.#options.gatewayNow() - Number(signed.timestamp[0]) * 1000
          const { duplicate } = reply
          this.answered.push({ ...told, duplicate, atMs: clock.now(), stale: age > STALE_MS - 100_000 })
          return
        }
        const wait = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 0
        // Each attempt is signed again, so that it is not too old on arrival.
        this.#attempt(told, this.#sign(told.body), occasion, tries + 1, wait)
      })
    })
  }

  /** Delivers a copy with one wrong byte. The copy must not be accepted. */
  #deliverDamaged(told: Told, at: number): void {
    const { clock, deliver } = this.#options
    const signed = this.#sign(told.body)
    const bytes = Buffer.from(signed.rawBody)
    const place = at % bytes.length
    bytes[place] = (bytes[place] ?? 0) ^ 1
    clock.after(1, () => {
      void deliver({ ...signed, rawBody: bytes }).then((reply) => {
        if (reply?.status === 200)
          this.#options.onViolation(`damaged: a copy of ${told.uuid} with a wrong byte was taken`)
      })
    })
  }
}

/** An event with a status that the gateway's documentation does not have. */
const ofUnknownStatus = (told: Told): Told => ({
  ...told,
  status: 'unheard-of',
  body: told.body.replace(`"status":"${told.status}"`, '"status":"unheard-of"'),
})

/** A signed object that is not the envelope. */
const unreadable = (told: Told): Told => ({
  ...told,
  status: 'unreadable',
  body: JSON.stringify({ event: 'User Deposit', transaction_uuid: told.uuid, user_reference: told.user }),
})
