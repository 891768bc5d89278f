import { expect, test } from 'vitest'
import { VARIABLE_MEANINGS } from '../config/variable-meanings.ts'
import { checkNames } from './check-names.ts'

test.each([
  ['OPERTORS', 'OPERATORS'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['GATEWAY_BASE_URl', 'GATEWAY_BASE_URL'],
  ['MERCHANT_WEBHOOK_SECERT', 'MERCHANT_WEBHOOK_SECRET'],
  ['VALUE', 'VALUES'],
])('%s is told, as %s may be meant', (name, meant) => {
  expect(checkNames([name])).toEqual([
    { about: 'configuration', level: 'note', message: `${name} is not read: is ${meant} meant?` },
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
  expect(checkNames([...Object.keys(VARIABLE_MEANINGS), ...others, ...openTelemetry])).toEqual([])
})
