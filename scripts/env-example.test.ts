import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '#lib/server/runtime/config/config.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const example = parseEnv(read('.env.example'))

test('.env.example has every variable that the server reads', () => {
  const names = [...read('lib/server/runtime/config/config.ts').matchAll(/^ {4}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  )
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(example).sort()).toEqual(names.sort())
})

test('what it suggests is valid; only keys and secrets are left to fill in', () => {
  const config = readConfig(example, () => 'no key yet')
  expect(config.ok ? [] : config.faults.map(({ variable }) => variable).sort()).toEqual([
    'GATEWAY_API_KEY',
    'GATEWAY_PRIVATE_KEY',
    'GATEWAY_PUBLIC_KEY',
    'MERCHANT_API_KEY',
    'SESSION_SECRET',
  ])
})
