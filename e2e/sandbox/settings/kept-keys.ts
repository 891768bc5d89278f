import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeKeyPair } from './key-pair.ts'

export interface KeptKeys {
  readonly privateKey: string
  readonly publicKey: string
  readonly privatePath: string
  readonly publicPath: string
}

/** The pair of this name in the folder, made the first time. */
export function keptKeys(folder: string, name: string): KeptKeys {
  const privatePath = join(folder, `${name}.private.pem`)
  const publicPath = join(folder, `${name}.public.pem`)
  if (!existsSync(privatePath) || !existsSync(publicPath)) {
    const pair = makeKeyPair()
    mkdirSync(folder, { recursive: true })
    writeFileSync(privatePath, pair.privateKey, { mode: 0o600 })
    writeFileSync(publicPath, pair.publicKey)
  }
  return {
    privateKey: readFileSync(privatePath, 'utf8'),
    publicKey: readFileSync(publicPath, 'utf8'),
    privatePath,
    publicPath,
  }
}
