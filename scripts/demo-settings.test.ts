import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoEnvironments } from './demo-settings.ts'

const wish = {
  ports: { sandbox: 4011, cashier: 3001, merchant: 4021 },
  secrets: { sessionSecret: 's', merchantApiKey: 'm', webhookSecret: 'whsec_w', gatewayApiKey: 'g' },
  folder: '.demo',
  merchantDecides: false,
}

test('the three know one another by the ports that were free', () => {
  const { sandbox, cashier, merchant } = demoEnvironments(wish)
  expect(sandbox['SANDBOX_WEBHOOK_URL']).toBe('http://localhost:3001/api/webhooks/gateway')
  expect(cashier).toMatchObject({
    PUBLIC_URL: 'http://localhost:3001',
    GATEWAY_BASE_URL: 'http://localhost:4011',
    EMBED_ORIGINS: 'http://127.0.0.1:4021',
    ONRAMP_ORIGINS: 'http://localhost:4011',
    MERCHANT_AUTHORIZE_URL: '',
  })
  expect(merchant).toMatchObject({ CASHIER_URL: 'http://localhost:3001', SANDBOX_URL: 'http://localhost:4011' })
})

test('where the shop decides, it is asked', () => {
  const { cashier, merchant } = demoEnvironments({ ...wish, merchantDecides: true })
  expect(cashier['MERCHANT_AUTHORIZE_URL']).toBe('http://127.0.0.1:4021/merchant/authorize')
  expect(merchant['MERCHANT_DECISION']).toBe('postpone')
})

test('no setting of the cashier is left to the shell or to .env', () => {
  const documented = Array.from(readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm), ([, name]) => name)
  expect(documented.length).toBeGreaterThan(20)
  expect(Object.keys(demoEnvironments(wish).cashier)).toEqual(expect.arrayContaining(documented))
})
