import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import type { Context } from './context.ts'
import { mutateDelivery } from './faults/mutations.ts'
import type { Mutation } from './faults/mutations.ts'
import { listen } from './http/listen.ts'
import { requestHandler } from './http/request-handler.ts'
import { openAlarms } from './lifecycle/alarms.ts'
import { ring } from './lifecycle/ring.ts'
import { makeKeyPair } from './settings/key-pair.ts'
import { openDatabase } from './state/database.ts'
import { openMerchants } from './state/merchants.ts'
import type { MerchantSettings } from './state/merchants.ts'
import { openModes } from './state/modes.ts'
import type { ModeChanges } from './state/modes.ts'
import { startCourier } from './webhooks/courier.ts'
import { signWebhook, timestampText } from './webhooks/sign-webhook.ts'

export interface SandboxOptions {
  /** Free one when left out. */
  readonly port?: number
  /** `localhost` is both loopback addresses. */
  readonly host?: string
  /** Database file, or `:memory:`. */
  readonly data?: string
  readonly publicUrl?: string
  readonly basePath?: string
  /** At least one. */
  readonly merchants: readonly MerchantSettings[]
  /** PEM; a new key when left out. */
  readonly gatewayPrivateKey?: string
  /** Switches as they stand after a reset. */
  readonly modes?: ModeChanges
  /** Milliseconds; the switch `clock_offset_ms` is added to it. */
  readonly clock?: () => number
  readonly uuid?: () => string
  readonly mutations?: readonly Mutation[]
  readonly log?: (line: string) => void
}

export interface Sandbox {
  /** Such as `http://localhost:4010`, base path included: what a client calls `GATEWAY_BASE_URL`. */
  readonly url: string
  /** Where `/control`, widget and icons are: `url` without the base path. */
  readonly origin: string
  readonly port: number
  /** PEM. */
  readonly gatewayPublicKey: string
  readonly close: () => Promise<void>
}

/**
 * Starts the gateway in this process.
 * @throws ListenFault when it cannot listen; a `TypeError` for a key that is none.
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
  const place = { origin: options.publicUrl ?? '' }

  const courier = startCourier({
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
  const alarms = openAlarms(database, (action, subject) => {
    ring(context, action, subject)
  })
  const context: Context = {
    database,
    modes,
    merchants,
    now,
    uuid: options.uuid ?? randomUUID,
    get origin() {
      return place.origin
    },
    basePath,
    gatewayKey,
    gatewayPublicKey,
    mutations,
    wakeCourier: courier.wake,
    setAlarm: alarms.set,
    log,
  }

  const stopWork = async (): Promise<void> => {
    alarms.stop()
    await courier.stop()
  }
  try {
    const listening = await listen(options.host ?? 'localhost', options.port ?? 0, requestHandler(context))
    place.origin ||= `http://localhost:${String(listening.port)}`
    alarms.resume()
    return {
      url: place.origin + basePath,
      origin: place.origin,
      port: listening.port,
      gatewayPublicKey,
      async close() {
        await listening.close()
        await stopWork()
        database.close()
      },
    }
  } catch (error) {
    await stopWork()
    database.close()
    throw error
  }
}
