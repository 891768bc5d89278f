import { expect, test } from 'vitest'
import { misspeltNames } from './misspelt-names.ts'
import { VARIABLE_MEANINGS } from './variable-meanings.ts'

test.each([
  ['MERCHANT_WEBHOK_URL', 'MERCHANT_WEBHOOK_URL'],
  ['EMBED_ORIGIN', 'EMBED_ORIGINS'],
  ['OPERTORS', 'OPERATORS'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['GATEWAY_BASE_URl', 'GATEWAY_BASE_URL'],
  ['MERCHANT_WEBHOOK_SECERT', 'MERCHANT_WEBHOOK_SECRET'],
  ['VALUE', 'VALUES'],
])('%s is told, as %s may be meant', (name, meant) => {
  expect(misspeltNames([name])).toEqual([
    { message: `${name} is not read: is ${meant} meant?`, fix: `rename it to ${meant}, or remove it` },
  ])
})

test('settings, and variables of others, are not told', () => {
  const others = [
    'PATH',
    'HOME',
    'POST',
    'HOSTNAME',
    'SHELL',
    'CASHIER_HOST',
    'POSTGRES_PASSWORD',
    'NODE_EXTRA_CA_CERTS',
  ]
  const openTelemetry = ['OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_CERTIFICATE']
  expect(misspeltNames([...Object.keys(VARIABLE_MEANINGS), ...others, ...openTelemetry])).toEqual([])
})
