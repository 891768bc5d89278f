/** One instance of the cashier. Only this file knows its composition and the names of its parts. */
import { generateKeyPairSync } from 'node:crypto'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import { Problem } from '#lib/contract/problems.ts'
import { composeJobs } from '#lib/server/runtime/compose-jobs.ts'
import { composeUseCases, type UseCases } from '#lib/server/runtime/compose-use-cases.ts'
import { configOf, readConfig, type Config } from '#lib/server/runtime/config/config.ts'
import { keepLedgerStart } from '#lib/server/runtime/ledger-start.ts'
import { sessionCookies } from '#lib/server/runtime/http/session-cookie.ts'
import type { Log } from '#lib/server/runtime/log.ts'
import type { Metrics } from '#lib/server/runtime/metrics.ts'
import { contentsFaults } from '#lib/server/store/commands/check-contents.ts'
import { distrust } from '#lib/server/store/restored.ts'
import { contentsOf } from '#lib/server/store/tables/contents.ts'
import type { CashierSession, Store, StoredStreamEvent } from '#lib/server/store/types.ts'
import { createStreamHub, type StreamHub } from '#lib/server/stream/hub.ts'
import type { Machine } from './machine.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import { WAIT_MS, type Settings } from './plan.ts'

export type { CashierSession, Store, UseCases }
export { listApplier } from '#lib/server/store/unit/apply-list.ts'
export { copyDatabase, undoCopy } from '#lib/server/store/commands/copy-database.ts'
export { eraseUser } from '#lib/server/store/commands/erase-user.ts'
export { openStore } from '#lib/server/store/store.ts'
export { startTcpProxy, type PlannedTrouble, type TcpProxy } from '#lib/server/store/testing/tcp-proxy.ts'
export { MERCHANT_BACKEND } from '#lib/server/merchant/merchant-caller.ts'
export { createWithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
export { Problem }

/** How a page handles the presses of one review. */
export type PageAttempt = Pick<WithdrawalAttempt, 'start' | 'fail' | 'record' | 'edit' | 'show'>
/** One event of a stream as a page receives it. */
export type StreamLine = StoredStreamEvent

/** What `scripts/after-restore.ts` does. */
export async function noteRestore(store: Store): Promise<void> {
  await store.transaction(distrust)
}

/** What `restore-check` says of a database's rows. */
export const lostRowsOf = async (
  { database: { db } }: Store,
  flavour: Store['database']['flavour'],
): Promise<readonly string[]> => contentsFaults(await contentsOf(db, flavour)())

const newKeys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
let keys: ReturnType<typeof newKeys> | null = null

export const AUTHORIZE_URL = 'http://127.0.0.1:9/authorize'
const WEBHOOK_URL = 'http://127.0.0.1:9/webhook'

/** Withdrawals have at most 9 units. */
const REVIEWS = { review_above: '6', review_more_than: { count: 4, hours: 1 } }
const WAITS = { wait_for_new_address_s: WAIT_MS / 1000 }
const RULES: Readonly<Record<Settings['rules'], object | null>> = {
  none: null,
  review: { '*': REVIEWS },
  wait: { '*': WAITS },
  both: { '*': { ...REVIEWS, ...WAITS, review_new_address: true } },
}

function configFor(settings: Settings): Config {
  keys ??= newKeys()
  const { ledgerMode, pinned, deliveries, absenceS } = settings
  const calls = ledgerMode === 'merchant' || deliveries
  const rules = ledgerMode === 'embedded' ? RULES[settings.rules] : null
  const read = readConfig(
    {
      PUBLIC_URL: 'https://cashier.example',
      GATEWAY_BASE_URL: 'http://127.0.0.1:9',
      GATEWAY_API_KEY: 'gateway-api-key-0123456789',
      GATEWAY_PRIVATE_KEY: keys.privateKey,
      GATEWAY_PUBLIC_KEY: keys.publicKey,
      ...(pinned ? { GATEWAY_MERCHANT_REFERENCE: OUR_MERCHANT } : {}),
      SESSION_SECRET: 'session-secret-0123456789abcdef0123456789',
      MERCHANT_API_KEY: 'merchant-api-key-0123456789abcdef',
      ONRAMP_ORIGINS: 'https://pay.example',
      WITHDRAWAL_ABSENCE_S: String(absenceS),
      RATE_LIMIT: 'off',
      ...(rules === null ? {} : { WITHDRAWAL_RULES: JSON.stringify(rules) }),
      // The oracle reads whole streams at the end.
      KEEP_STREAM_EVENTS_DAYS: '30',
      ...(ledgerMode === 'merchant' ? { MERCHANT_AUTHORIZE_URL: AUTHORIZE_URL } : {}),
      ...(deliveries ? { MERCHANT_WEBHOOK_URL: WEBHOOK_URL } : {}),
      ...(calls
        ? { MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}` }
        : {}),
    },
    () => {
      throw new Error('there are no files here')
    },
  )
  if (!read.ok) throw new Error(read.faults.map(({ variable, fault }) => `${variable} ${fault}`).join('\n'))
  return configOf(read.settings, read.settings.port)
}

/** Logs and counts nothing. */
const silent: unknown = new Proxy({}, { get: () => () => undefined })

export interface Instance {
  readonly machine: Machine
  readonly useCases: UseCases
  readonly hub: StreamHub
  /** A session of the user, as the merchant starts one. */
  openSession(user: string): Promise<CashierSession>
}

export interface InstanceOptions {
  readonly machine: Machine
  readonly store: Store
  readonly settings: Settings
  readonly onFault: (line: string) => void
}

const describe = (fields: unknown): string => {
  const { err, ...rest } = fields as { err?: { message?: string; cause?: unknown } }
  return `${err?.message ?? ''} ${JSON.stringify(rest)}`
}

/** Composes an instance and starts its jobs, like `lib/server/runtime/start.ts`. Call it as code of the machine. */
export async function startInstance({ machine, store, settings, onFault }: InstanceOptions): Promise<Instance> {
  const config = configFor(settings)
  const say = (fields: unknown, message: unknown): void =>
    onFault(`${machine.name}: ${String(message)} ${describe(fields)}`)
  const log = {
    info: () => undefined,
    warn: say,
    error: say,
    debug: () => undefined,
  } as unknown as Log
  const clock = (): number => machine.now()
  const ledgerStartMs = await keepLedgerStart(store, config.ledgerStartMs, clock())
  const parts = { config, ledgerStartMs, store, log, metrics: silent as Metrics, instance: machine.name, clock }
  const hub = createStreamHub({ store, log, streamsPerSession: Infinity })
  const { useCases, shared } = composeUseCases({
    ...parts,
    uptimeMs: () => machine.rightNow(),
    cookies: sessionCookies(config.sessionSecrets, config.sessionMaxS),
    onSessionEnded: (id) => hub.endSession(id),
  })
  await composeJobs({ ...parts, ...shared }).start()
  return {
    machine,
    useCases,
    hub,
    async openSession(user) {
      const created = await useCases.createSession({ user_reference_id: user })
      await useCases.userBecameKnown(user)
      const [found] = await store.sessions.findSessions([created.session_id])
      if (found === undefined) throw new Error('the session is gone')
      return found.session
    },
  }
}
