/**
 * Starts a sandbox gateway and one or more cashiers on one database, each as a process, with new keys and an empty
 * ledger.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { checkLedger, type LedgerReport } from '#lib/server/store/commands/check-ledger.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'
import { newTestDatabase, type FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { freePort } from '../../scripts/free-port.ts'
import { secret } from '../fixtures/keys.ts'
import { merchantApi, type MerchantApi, type SessionOptions } from '../fixtures/merchant-api.ts'
import { pairedEnv } from '../fixtures/paired-env.ts'
import { startSandbox, type Program, type EnvVariables } from '../fixtures/processes.ts'
import { sandboxControl, type SandboxControl } from '../fixtures/sandbox-control.ts'
import { cashierProcess, type CashierProcess } from './cashier-process.ts'
import { checkAnswer } from './check-answer.ts'
import { openPage, type PageClient } from './page.ts'

export interface SystemOptions {
  readonly database?: (typeof FLAVOURS)[number]
  /** How many cashiers share the database; 1 by default, more only on PostgreSQL. */
  readonly instances?: number
  /** Variables that replace the defaults. */
  readonly cashier?: EnvVariables
  readonly sandbox?: EnvVariables
}

export interface System {
  readonly publicUrl: string
  readonly databaseUrl: string
  readonly cashiers: readonly [CashierProcess, ...CashierProcess[]]
  /** The merchant API of the first cashier. */
  readonly merchant: MerchantApi
  readonly control: SandboxControl
  /** The gateway's private key as PEM, which signs webhooks. */
  readonly gatewayKey: string
  readonly webhookSecret: string
  readonly merchantApiKey: string
  /** Ids of the sandbox's currencies by code and network, such as `USDT Tron`. */
  readonly currency: (name: string) => string
  /** A launched session of the user. */
  page(user: string, options?: Partial<SessionOptions>): Promise<PageClient>
  /** Reads the database directly, without the cashier. */
  withStore<T>(read: (store: Store) => Promise<T>): Promise<T>
  checkLedger(): Promise<LedgerReport>
  killSandbox(): Promise<void>
  restartSandbox(): Promise<void>
  close(): Promise<void>
}

const LOCAL = 'http://localhost:'

/** @throws when a process does not start; the others are stopped first */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { instances = 1 } = options
  const folder = mkdtempSync(join(tmpdir(), 'cashier-system-'))
  const database = await newTestDatabase(options.database ?? 'sqlite', inject('postgresUrl'))
  const sandboxPort = await freePort()
  const ports: number[] = []
  while (ports.length < instances) ports.push(await freePort())
  const publicUrl = `${LOCAL}${ports[0]}`
  const webhookSecret = `whsec_${Buffer.from(secret()).toString('base64')}`

  const { merchantApiKey, ...paired } = pairedEnv({ folder, sandboxPort, cashierUrl: publicUrl })
  const sandboxEnv: EnvVariables = { ...paired.sandbox, ...options.sandbox }
  const cashierEnv: EnvVariables = {
    ...paired.cashier,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: database.url,
    MERCHANT_WEBHOOK_SECRET: webhookSecret,
    ONRAMP_ORIGINS: paired.sandboxUrl,
    LOG_LEVEL: 'warn',
    DRAIN_S: '0',
    ...options.cashier,
  }
  let sandbox: Program | null = null
  const [first, ...others] = ports.map((port) => cashierProcess({ ...cashierEnv, PORT: String(port) }))
  if (first === undefined) throw new RangeError('a system needs at least one cashier')
  const cashiers = [first, ...others] as const

  const close = async (): Promise<void> => {
    const ended = await Promise.allSettled(cashiers.map((cashier) => cashier.stop()))
    await sandbox?.process.stop()
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
    const fault = ended.find((one) => one.status === 'rejected')
    if (fault) throw fault.reason
  }

  const control = sandboxControl(paired.sandboxUrl)
  const currencies = new Map<string, string>()
  try {
    sandbox = await startSandbox(sandboxEnv)
    for (const { id, code, network } of await control.currencies()) currencies.set(`${code} ${network}`, id)
    for (const cashier of cashiers) await cashier.start()
  } catch (error) {
    await close()
    throw error
  }

  const merchant = merchantApi(publicUrl, merchantApiKey, checkAnswer)
  const withStore = async <T>(read: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    try {
      return await read(store)
    } finally {
      await store.close()
    }
  }
  return {
    publicUrl,
    databaseUrl: database.url,
    cashiers,
    merchant,
    control,
    gatewayKey: paired.gatewayKey,
    webhookSecret,
    merchantApiKey,
    currency(name) {
      const id = currencies.get(name)
      if (id === undefined) throw new Error(`the sandbox has no ${name}`)
      return id
    },
    page: async (user, options) =>
      openPage({
        url: publicUrl,
        publicUrl,
        session: await merchant.createSession({ user_reference_id: user, ...options }),
      }),
    withStore,
    checkLedger: () => withStore((store) => store.snapshot(checkLedger)),
    async killSandbox() {
      sandbox?.process.signal('SIGKILL')
      await sandbox?.process.exited
      sandbox = null
    },
    async restartSandbox() {
      sandbox ??= await startSandbox(sandboxEnv)
    },
    close,
  }
}
