import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { DemoSecrets } from './demo-settings.ts'

const schema = z.object({
  sessionSecret: z.string().min(32),
  merchantApiKey: z.string().min(32),
  webhookSecret: z.string().startsWith('whsec_'),
  gatewayApiKey: z.string().min(1),
})

/** The demo's secrets, stored in `folder`; created on the first run. @throws when the file is not valid */
export function demoSecrets(folder: string): DemoSecrets {
  const path = join(folder, 'secrets.json')
  if (existsSync(path)) return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  const random = (): string => randomBytes(32).toString('hex')
  const secrets: DemoSecrets = {
    sessionSecret: random(),
    merchantApiKey: random(),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    gatewayApiKey: random(),
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}
