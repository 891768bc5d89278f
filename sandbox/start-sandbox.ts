import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Links } from './context.ts'
import { mutateDelivery } from './faults/mutations.ts'
import type { Mutation } from './faults/mutations.ts'
import { listen, requestListener } from './http/listen.ts'
import type { Listening } from './http/listen.ts'
import { createApp } from './http/app.ts'
import { openScheduler } from './lifecycle/scheduler.ts'
import { runScheduledAction } from './lifecycle/run-scheduled-action.ts'
import { makeKeyPair } from './settings/keys.ts'
import { openDatabase } from './state/database.ts'
import { openMerchants } from './state/merchants.ts'
import type { MerchantSettings } from './state/merchants.ts'
import { openModes } from './state/modes.ts'
import type { ModeChanges } from './state/modes.ts'
import { startDeliveryWorker } from './webhooks/delivery-worker.ts'
import { signWebhook, timestampText } from './webhooks/sign-webhook.ts'

export interface SandboxOptions {
  /** A free port by default. */
  readonly port?: number
  /** `localhost` is both loopback addresses. */
  readonly host?: string
  /** Database file, or `:memory:`. */
  readonly data?: string
  readonly publicUrl?: string
  readonly basePath?: string
  /** At least one merchant. */
  readonly merchants: readonly MerchantSettings[]
  /** PEM; a new key pair by default. */
  readonly gatewayPrivateKey?: string
  /** The modes after start and after a reset. */
  readonly modes?: ModeChanges
  readonly links?: Links
  /** Milliseconds; the mode `clock_offset_ms` is added. */
  readonly clock?: () => number
  readonly uuid?: () => string
  readonly mutations?: readonly Mutation[]
  readonly log?: (line: string) => void
}

export interface Sandbox {
  /** Such as `http://localhost:4010`, with the base path: the client's `GATEWAY_BASE_URL`. */
  readonly url: string
  /** The origin of `/control`, widget and icons: `url` without the base path. */
  readonly origin: string
  readonly port: number
  /** PEM. */
  readonly gatewayPublicKey: string
  readonly close: () => Promise<void>
}

/**
 * Starts the gateway in this process.
 * @throws ListenError when it cannot listen; a `TypeError` for an invalid key
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { basePath = '', clock = Date.now, log = () => undefined } = options
  const gatewayKey = createPrivateKey(options.gatewayPrivateKey ?? makeKeyPair().privateKey)
  const gatewayPublicKey = createPublicKey(gatewayKey).export({ type: 'spki', format: 'pem' }).toString()
  const database = openDatabase(options.data ?? ':memory:')
  const modes = openModes(database, options.modes ?? {})
  const merchants = openMerchants(database, options.merchants)
  const now = (): number => clock() + modes.read().clock_offset_ms
  const mutations = new Set(options.mutations ?? [])
  const address = { origin: options.publicUrl ?? '' }

  const startWorker = () =>
    startDeliveryWorker({
      database,
      modes,
      merchants,
      now,
      log,
      sign: async (body, signing) =>
        mutateDelivery(
          mutations,
          body,
          await signWebhook(body, timestampText(now(), signing), gatewayKey, signing),
          gatewayKey,
        ),
    })
  let deliveryWorker = startWorker()
  let listening: Listening | null = null
  const closing = new AbortController()
  const isClosing = (): boolean => closing.signal.aborted
  let restarted = Promise.resolve()
  let restarts = 0
  const scheduler = openScheduler(database, (action, subject) => {
    runScheduledAction(context, action, subject)
  })
  const context: Context = {
    database,
    modes,
    merchants,
    now,
    uuid: options.uuid ?? randomUUID,
    get origin() {
      return address.origin
    },
    basePath,
    links: options.links ?? { shop: null, cashier: null },
    gatewayKey,
    gatewayPublicKey,
    mutations,
    wakeDeliveryWorker: () => {
      deliveryWorker.wake()
    },
    schedule: scheduler.schedule,
    restart(downMs) {
      restarted = restarted
        .then(() => restart(downMs))
        .catch((error: unknown) => {
          log(`the sandbox could not restart: ${String(error)}`)
        })
    },
    restarts: () => restarts,
    log,
  }

  const stopWorkers = async (): Promise<void> => {
    scheduler.stop()
    await deliveryWorker.stop()
  }
  const handler = requestListener(createApp(context))
  const open = async (port: number): Promise<Listening> => {
    listening = await listen(options.host ?? 'localhost', port, handler)
    return listening
  }
  const restart = async (downMs: number): Promise<void> => {
    if (listening === null || isClosing()) return
    const { port, close } = listening
    listening = null
    await close()
    await stopWorkers()
    await sleep(downMs, undefined, { signal: closing.signal }).catch(() => undefined)
    if (isClosing()) return
    await open(port)
    restarts += 1
    deliveryWorker = startWorker()
    scheduler.resume()
  }
  try {
    const { port } = await open(options.port ?? 0)
    address.origin ||= `http://localhost:${String(port)}`
    scheduler.resume()
    return {
      url: address.origin + basePath,
      origin: address.origin,
      port,
      gatewayPublicKey,
      async close() {
        closing.abort()
        await restarted
        await listening?.close()
        await stopWorkers()
        database.close()
      },
    }
  } catch (error) {
    await stopWorkers()
    database.close()
    throw error
  }
}
