import { expect, test } from 'vitest'
import { readSettings, settingsHelp } from './settings.ts'

const key = 'k'.repeat(32)

test('every setting except the key has a default, and an empty variable counts as not set', () => {
  expect(
    readSettings({ MERCHANT_API_KEY: key, MERCHANT_WEBHOOK_SECRET: '', CASHIER_URL: 'http://localhost:3001/' }),
  ).toEqual({
    MERCHANT_HOST: '127.0.0.1',
    MERCHANT_PORT: 4020,
    CASHIER_URL: 'http://localhost:3001',
    SANDBOX_URL: 'http://localhost:4010',
    MERCHANT_API_KEY: key,
    MERCHANT_DECISION: 'approve',
  })
})

test('all faults are reported together', () => {
  const read = () => readSettings({ MERCHANT_PORT: 'many', MERCHANT_DECISION: 'perhaps' })
  expect(read).toThrow(/MERCHANT_API_KEY: is required/)
  expect(read).toThrow(/MERCHANT_PORT/)
  expect(read).toThrow(/MERCHANT_DECISION/)
})

test('the help names every setting', () => {
  expect(settingsHelp()).toContain('MERCHANT_WEBHOOK_SECRET')
})
