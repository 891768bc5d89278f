import type { Config, ConfigRead } from '../config/config.ts'
import { configOf } from '../config/config.ts'
import { misspeltNames } from '../config/misspelt-names.ts'
import { versionText, type Version } from '../version.ts'
import { checkAbsence } from './check-absence.ts'
import { checkBackup, type CheckBackupOptions } from './check-backup.ts'
import { checkBooksChange } from './check-books-change.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkDurability } from './check-durability.ts'
import { checkFraming } from './check-framing.ts'
import { checkGateway } from './check-gateway.ts'
import { checkKeys } from './check-keys.ts'
import { checkLedgerStart } from './check-ledger-start.ts'
import { checkMerchant } from './check-merchant.ts'
import { checkProxy } from './check-proxy.ts'
import { checkReference } from './check-reference.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { fault, note, ok, warningFinding, type Finding } from './finding.ts'

export interface ExamineOptions {
  readonly version: Version
  readonly clock: () => number
  readonly newNonce: () => string
  readonly fetch: typeof globalThis.fetch
  /** The place of the backups, and the greatest age of the last one. Null: not checked. */
  readonly backup: Omit<CheckBackupOptions, 'nowMs'> | null
  /** The names of the environment's variables; empty: not checked. */
  readonly names: readonly string[]
}

/** Reports settings that let others read calls, or that close what an operator may expect to be open. */
export const checkExposure = ({
  allowInsecureHttp,
  metricsToken,
}: Pick<Config, 'allowInsecureHttp' | 'metricsToken'>): readonly Finding[] => [
  allowInsecureHttp
    ? note('transport', 'ALLOW_INSECURE_HTTP is on: anybody on the network in between can read and change calls')
    : ok('transport', 'no address beyond this machine uses plain http'),
  metricsToken === null
    ? note('metrics', 'METRICS_TOKEN is not set: /api/metrics answers only direct calls from this machine')
    : ok('metrics', '/api/metrics needs its token'),
]

async function* examineConfig(
  config: Config,
  { clock, newNonce, fetch, backup }: ExamineOptions,
): AsyncGenerator<Finding> {
  yield* checkKeys(config)
  yield* await checkGateway({ ...config, clock, newNonce })
  yield* await checkClock({ url: config.gateway.baseUrl, clock, fetch })
  yield* await checkDatabase(config.databaseUrl)
  yield* await checkDurability(config)
  yield* await checkLedgerStart({ config, clock, newNonce })
  yield* await checkBooksChange(config)
  yield* checkDisk(config.databaseUrl)
  if (backup !== null) yield* checkBackup({ ...backup, nowMs: clock() })
  yield* await checkFraming({ config, fetch })
  yield* await checkProxy({ config, fetch })
  yield* await checkWebhooks(config.databaseUrl)
  yield* await checkReference({ config, clock })
  yield* checkAbsence(config)
  yield* checkExposure(config)
  yield* await checkMerchant({ config, clock, newId: newNonce, fetch })
}

/** Checks everything that can be tested in use, in the order in which faults should be fixed. */
export async function* examine(read: ConfigRead, options: ExamineOptions): AsyncGenerator<Finding> {
  yield ok('version', versionText(options.version))
  yield* misspeltNames(options.names).map((warning) => warningFinding('configuration', warning))
  if (!read.ok) {
    for (const { variable, fault: message } of read.faults) {
      yield fault(
        'configuration',
        `${variable} ${message}`,
        'correct it; docs/reference/environment.md describes every variable',
      )
    }
    return
  }
  yield ok('configuration', 'every variable can be read')
  yield* examineConfig(configOf(read.settings, read.settings.port), options)
}
