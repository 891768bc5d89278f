/** What the console's page of settings shows, and the doctor that it runs. */
import { createPublicKey } from 'node:crypto'
import type { ExaminationAnswer, SettingsAnswer } from '#lib/contract/operate/settings.ts'
import type { Store } from '../store/types.ts'
import type { Config } from './config/config.ts'
import { examine, type ExamineOptions } from './doctor/examine.ts'
import type { Finding } from './doctor/finding.ts'
import { fingerprint, keyBits } from './doctor/fingerprint.ts'
import type { Version } from './version.ts'

export interface ConsoleSettingsDeps {
  readonly config: Config
  readonly store: Pick<Store, 'leases'>
  readonly version: Version
  /** The name of this process among the instances. */
  readonly instance: string
}

export const createDescribeSettings =
  ({ config, store, version, instance }: ConsoleSettingsDeps) =>
  async (): Promise<SettingsAnswer> => {
    const { privateKey, publicKeys } = config.gateway
    const keys = [
      { name: 'GATEWAY_PRIVATE_KEY', key: createPublicKey(privateKey) },
      ...publicKeys.map((key) => ({ name: 'GATEWAY_PUBLIC_KEY', key })),
    ]
    return {
      version: version.version,
      commit: version.commit ?? null,
      node: process.version,
      database: config.databaseUrl.startsWith('file:') ? 'SQLite' : 'PostgreSQL',
      instances: (await store.leases.liveInstances()).map((id) => ({ id, answered: id === instance })),
      keys: keys.map(({ name, key }) => ({ name, fingerprint: fingerprint(key), bits: keyBits(key) })),
      settings: [...config.shown],
    }
  }

/** Runs the doctor; who asks while it runs gets the same answer. */
export function createExamine(config: Config, options: Omit<ExamineOptions, 'backup' | 'names'>) {
  let running: Promise<ExaminationAnswer> | null = null
  const run = async (): Promise<ExaminationAnswer> => {
    const findings: Finding[] = []
    for await (const finding of examine({ ok: true, settings: config }, { ...options, backup: null, names: [] }))
      findings.push(finding)
    return { findings, examined_at: new Date(options.clock()).toISOString() }
  }
  return (): Promise<ExaminationAnswer> => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
}
