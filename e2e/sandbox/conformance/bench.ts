import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Control } from './control.ts'
import type { CallGateway } from './gateway.ts'
import type { Received, Receiver } from './receiver.ts'
import { currencyList } from './shapes.ts'
import type { currency } from './shapes.ts'
import { Departure, must, shaped, status } from './verdict.ts'

export type ListedCurrency = z.infer<typeof currency>

/** What the checks of one run share. */
export interface Bench {
  readonly call: CallGateway
  /** A user reference that no other check uses. */
  readonly user: () => string
  readonly currencies: () => Promise<readonly ListedCurrency[]>
  readonly currencyOn: (network: string) => Promise<ListedCurrency>
  readonly control: Control
  readonly receiver: Receiver
  /** Waits for webhooks that fit, in the order in which they came. */
  readonly webhooks: (count: number, fits: (event: Record<string, unknown>) => boolean) => Promise<readonly Received[]>
  /** Does something once in a run, for all checks that need it. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

const LOOK_EVERY_MS = 10

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export interface BenchParts {
  readonly call: CallGateway
  readonly control: Control | null
  readonly receiver: Receiver | null
  /** How long webhooks are waited for. */
  readonly patienceMs: number
}

export function makeBench({ call, control, receiver, patienceMs }: BenchParts): Bench {
  const made = new Map<string, Promise<unknown>>()
  const run = randomUUID().slice(0, 8)
  let users = 0
  const missing = (): never => {
    throw new Departure('this check needs --control-url')
  }

  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known as Promise<T>
  }
  const currencies = () =>
    once('currencies', async () => {
      const answer = await call('GET', '/v1/merchant/currencies')
      status(answer, 200)
      return shaped(currencyList, answer.json, 'the list')
    })

  return {
    call,
    user: () => `conf-${run}-${users++}`,
    currencies,
    async currencyOn(network) {
      const found = (await currencies()).find((listed) => listed.network === network)
      must(found !== undefined, `no currency on ${network}`)
      return found
    },
    get control() {
      return control ?? missing()
    },
    get receiver() {
      return receiver ?? missing()
    },
    async webhooks(count, fits) {
      const all = receiver?.received ?? missing()
      const until = Date.now() + patienceMs
      for (;;) {
        const found = all.filter(({ event }) => isRecord(event) && fits(event))
        if (found.length >= count) return found
        must(Date.now() < until, `expected ${count} webhooks, ${found.length} came`)
        await sleep(LOOK_EVERY_MS)
      }
    },
    once,
  }
}
