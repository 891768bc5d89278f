import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { SANDBOX_OPTION, UsageError, sandboxUrl } from './command.ts'
import type { Command, Given, Print } from './command.ts'
import { SandboxAwayError, controlClient } from './control-client.ts'
import type { AskSandbox } from './control-client.ts'
import { stopSignal } from './stop-signal.ts'
import { answerOf, readWebhooks } from './webhook-log.ts'
import type { Delivery, WebhookLog } from './webhook-log.ts'

const POLL_MS = 150
const PAGE = 1000

const merchantsSchema = z.object({
  merchants: z.array(z.object({ id: z.string(), webhook_url: z.string().nullable() })),
})

type Merchant = z.infer<typeof merchantsSchema>['merchants'][number]

async function findMerchant(ask: AskSandbox, id: string | undefined): Promise<Merchant> {
  const { merchants } = merchantsSchema.parse(await ask('GET', '/state'))
  const found = merchants.find((merchant) => id === undefined || merchant.id === id)
  if (found) return found
  throw new UsageError(`no merchant ${id ?? ''}: the sandbox has ${merchants.map((one) => one.id).join(', ')}`)
}

function targetOf({ options }: Given): string | null {
  const forward = options['forward']
  if (forward === undefined) return null
  if (!URL.canParse(forward) || !/^https?:/.test(forward))
    throw new UsageError(`--forward must be an http or https URL, not ${forward}`)
  return forward
}

const subjectOf = (webhook: WebhookLog): string =>
  `${webhook.event} ${webhook.status}  ${webhook.transaction_uuid}  webhook ${String(webhook.id)}`

const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 23)

function lineOf(webhook: WebhookLog, delivery: Delivery): string {
  const nth = webhook.log.findIndex(({ id }) => id === delivery.id) + 1
  const again = nth > 1 ? `, delivery ${String(nth)}` : ''
  return `${clockTime(delivery.sent_at)}  ${subjectOf(webhook)}  ${answerOf(delivery)}${again}`
}

/** States of webhooks that are not sent for now, which a reader would otherwise wait for. */
const UNSENT: Readonly<Record<string, string>> = {
  dropped: 'dropped by a fault',
  held: 'held back by a fault until the next event',
  unsent: 'not sent: webhooks are off, or have no target',
}

/** Follows the delivery log from now on. */
class Follower {
  readonly #ask: AskSandbox
  readonly #merchant: string
  #attempt = 0
  #webhook = 0

  constructor(ask: AskSandbox, merchant: string) {
    this.#ask = ask
    this.#merchant = merchant
  }

  /** Skips what was sent before. */
  async start(): Promise<void> {
    const [attempted] = await readWebhooks(this.#ask, { attempt_after: 0, limit: 1 })
    const [newest] = await readWebhooks(this.#ask, { limit: 1 })
    this.#attempt = attempted?.log.at(-1)?.id ?? 0
    this.#webhook = newest?.id ?? 0
  }

  /** The lines of what is new, oldest first. */
  async news(): Promise<readonly string[]> {
    const attempted = await readWebhooks(this.#ask, { attempt_after: this.#attempt, limit: PAGE })
    const deliveries = attempted
      .flatMap((webhook) => webhook.log.map((delivery) => ({ webhook, delivery })))
      .filter(({ delivery }) => delivery.id > this.#attempt)
      .sort((a, b) => a.delivery.id - b.delivery.id)
    const made = (await readWebhooks(this.#ask, { after: this.#webhook, limit: PAGE })).toReversed()
    this.#attempt = deliveries.at(-1)?.delivery.id ?? this.#attempt
    this.#webhook = made.at(-1)?.id ?? this.#webhook
    return [
      ...made.flatMap((webhook) => {
        const words = UNSENT[webhook.state]
        const shown = words !== undefined && webhook.log.length === 0 && this.#isShown(webhook)
        return shown ? [`${clockTime(webhook.created_at)}  ${subjectOf(webhook)}  ${words}`] : []
      }),
      ...deliveries
        .filter(({ webhook }) => this.#isShown(webhook))
        .map(({ webhook, delivery }) => lineOf(webhook, delivery)),
    ]
  }

  #isShown({ merchant_id }: WebhookLog): boolean {
    return merchant_id === this.#merchant
  }
}

/** Sends the merchant's newest webhook again, with a new signature. */
async function replayLast(ask: AskSandbox, merchant: string, print: Print): Promise<void> {
  const newest = (await readWebhooks(ask, { limit: PAGE })).find(({ merchant_id }) => merchant_id === merchant)
  if (!newest) {
    print('there is no webhook to send again')
    return
  }
  print(`again: ${subjectOf(newest)}`)
  await ask('POST', `/webhooks/${String(newest.id)}/redeliver`)
}

/** Restores the target, unless somebody has changed it since. */
async function putBack(ask: AskSandbox, before: Merchant, target: string, print: Print): Promise<void> {
  const now = await findMerchant(ask, before.id)
  if (now.webhook_url !== target) return
  await ask('PATCH', `/merchants/${encodeURIComponent(before.id)}`, { webhook_url: before.webhook_url })
  print(`webhooks of ${before.id} go to ${before.webhook_url ?? 'nowhere'} again`)
}

export const listenCommand: Command = {
  name: 'listen',
  usage: 'listen [--forward URL] [options]',
  about: 'Prints each webhook that a running sandbox sends, with its answer. r and Enter send the last one again.',
  options: [
    {
      name: 'forward',
      takes: 'URL',
      about: 'where the sandbox sends them meanwhile, signed and repeated as always; put back at the end',
    },
    { name: 'merchant', takes: 'ID', about: 'whose webhooks [the first merchant]' },
    { name: 'replay-last', takes: null, about: 'first sends the newest webhook again' },
    SANDBOX_OPTION,
  ],
  async run(given, print) {
    const [word] = given.words
    if (word !== undefined) throw new UsageError(`listen takes no ${word}: the target is --forward URL`)
    const target = targetOf(given)
    const origin = sandboxUrl(given)
    const ask = controlClient(origin)
    const merchant = await findMerchant(ask, given.options['merchant'])
    const stop = stopSignal()
    const follower = new Follower(ask, merchant.id)
    await follower.start()
    const forward = async (): Promise<void> => {
      if (target !== null) await ask('PATCH', `/merchants/${encodeURIComponent(merchant.id)}`, { webhook_url: target })
    }
    await forward()
    print(`listening to ${origin}: webhooks of ${merchant.id} go to ${target ?? merchant.webhook_url ?? 'nowhere'}`)
    print('r and Enter send the last one again; Ctrl+C ends')
    const again = async (): Promise<void> => {
      await replayLast(ask, merchant.id, print).catch((error: unknown) => {
        print(error instanceof Error ? error.message : String(error))
      })
    }
    const keys = createInterface({ input: process.stdin })
    keys.on('line', (line) => {
      if (line.trim() === 'r') void again()
    })
    if (given.switches.has('replay-last')) await again()

    let away = false
    while (!stop.aborted) {
      try {
        for (const line of await follower.news()) print(line)
        // A sandbox that keeps no data has forgotten the target.
        if (away) await forward()
        if (away) print('the sandbox is back')
        away = false
      } catch (error) {
        if (!(error instanceof SandboxAwayError)) throw error
        if (!away) print('the sandbox does not answer; waiting for it')
        away = true
      }
      await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined)
    }
    keys.close()
    if (target !== null)
      await putBack(ask, merchant, target, print).catch((error: unknown) => {
        if (!(error instanceof SandboxAwayError)) throw error
        print(`the sandbox has ended: webhooks of ${merchant.id} still go to ${target}`)
      })
    return 0
  },
}
