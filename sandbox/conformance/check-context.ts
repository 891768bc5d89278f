import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Control } from './control.ts'
import type { CallGateway } from './gateway.ts'
import type { Received, Receiver } from './receiver.ts'
import { currencyList } from './shapes.ts'
import type { currency } from './shapes.ts'
import { ConformanceError, assertThat, parseAs, assertStatus } from './assertions.ts'

export type ListedCurrency = z.infer<typeof currency>

/** The values that all checks of one run share. */
export interface CheckContext {
  readonly call: CallGateway
  /** A user reference that no other check uses. */
  readonly user: () => string
  readonly currencies: () => Promise<readonly ListedCurrency[]>
  readonly currencyOn: (network: string) => Promise<ListedCurrency>
  readonly control: Control
  readonly receiver: Receiver
  /** Waits for this many matching webhooks, and returns them in order of arrival. */
  readonly webhooks: (
    count: number,
    matches: (event: Record<string, unknown>) => boolean,
  ) => Promise<readonly Received[]>
  /** Does work once per run, for all checks that need it. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

const POLL_INTERVAL_MS = 10

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export interface CheckContextOptions {
  readonly call: CallGateway
  readonly control: Control | null
  readonly receiver: Receiver | null
  /** How long to wait for webhooks. */
  readonly webhookTimeoutMs: number
}

export function createCheckContext({
  call,
  control,
  receiver,
  webhookTimeoutMs: patienceMs,
}: CheckContextOptions): CheckContext {
  const made = new Map<string, Promise<unknown>>()
  const run = randomUUID().slice(0, 8)
  let users = 0
  const missing = (): never => {
    throw new ConformanceError('this check needs --control-url')
  }

  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    // A check that needs it makes the call again, so that its report shows why it failed.
    known.catch(() => made.delete(name))
    return known as Promise<T>
  }
  const currencies = () =>
    once('currencies', async () => {
      const answer = await call('GET', '/v1/merchant/currencies')
      assertStatus(answer, 200)
      return parseAs(currencyList, answer.json, 'the list')
    })

  return {
    call,
    user: () => `conf-${run}-${users++}`,
    currencies,
    async currencyOn(network) {
      const found = (await currencies()).find((listed) => listed.network === network)
      assertThat(found !== undefined, `no currency on ${network}`)
      return found
    },
    get control() {
      return control ?? missing()
    },
    get receiver() {
      return receiver ?? missing()
    },
    async webhooks(count, matches) {
      const all = receiver?.received ?? missing()
      const until = Date.now() + patienceMs
      for (;;) {
        const found = all.filter(({ event }) => isRecord(event) && matches(event))
        if (found.length >= count) return found
        assertThat(Date.now() < until, `expected ${count} webhooks, got ${found.length}`)
        await sleep(POLL_INTERVAL_MS)
      }
    },
    once,
  }
}
