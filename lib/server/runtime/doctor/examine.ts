import type { Config, ConfigRead } from '../config/config.ts'
import { configOf } from '../config/config.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkFraming } from './check-framing.ts'
import { checkGateway } from './check-gateway.ts'
import { checkKeys } from './check-keys.ts'
import { fault, ok, type Finding } from './finding.ts'

export interface ExamineOptions {
  readonly clock: () => number
  readonly newNonce: () => string
  readonly fetch: typeof globalThis.fetch
}

async function* examineConfig(config: Config, { clock, newNonce, fetch }: ExamineOptions): AsyncGenerator<Finding> {
  yield* checkKeys(config)
  yield* await checkGateway({ gateway: config.gateway, clock, newNonce })
  yield* await checkClock({ url: config.gateway.baseUrl, clock, fetch })
  yield* await checkDatabase(config.databaseUrl)
  yield* await checkFraming({ config, fetch })
}

/** Everything that can be checked for real, in the order in which it should be fixed. */
export async function* examine(read: ConfigRead, options: ExamineOptions): AsyncGenerator<Finding> {
  if (!read.ok) {
    for (const { variable, fault: message } of read.faults) {
      yield fault('configuration', `${variable} ${message}`, 'correct it; docs/api.md describes every variable')
    }
    return
  }
  yield ok('configuration', 'every variable can be read')
  yield* examineConfig(configOf(read.settings, read.settings.port), options)
}
