import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '#lib/server/runtime/config/config.ts'
import { variables } from '#lib/server/runtime/config/variables.ts'

const example = parseEnv(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'))

test('.env.example has every variable that the server reads', () => {
  expect(Object.keys(example).sort()).toEqual(Object.keys(variables(() => '').shape).sort())
})

test('its values are valid; only keys and secrets are left to fill in', () => {
  const config = readConfig(example, () => 'no key yet')
  expect(config.ok ? [] : config.faults.map(({ variable }) => variable).sort()).toEqual([
    'GATEWAY_API_KEY',
    'GATEWAY_PRIVATE_KEY',
    'GATEWAY_PUBLIC_KEY',
    'MERCHANT_API_KEY',
    'SESSION_SECRET',
  ])
})
