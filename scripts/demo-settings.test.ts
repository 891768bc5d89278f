import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asksForLastCharacters } from '#components/withdraw/last-characters.ts'
import { amountsByCode } from '#lib/server/runtime/config/readers.ts'
import { backendText, demoEnvironments } from './demo-settings.ts'

const options = {
  ports: { sandbox: 4011, cashier: 3001, shop: 4021 },
  secrets: { sessionSecret: 's', merchantApiKey: 'm', webhookSecret: 'whsec_w', gatewayApiKey: 'g' },
  folder: '.demo',
  merchantDecides: false,
}

test('each program gets the ports of the others', () => {
  const { sandbox, cashier, shop } = demoEnvironments(options)
  expect(sandbox['SANDBOX_WEBHOOK_URL']).toBe('http://localhost:3001/api/webhooks/gateway')
  expect(cashier).toMatchObject({
    PUBLIC_URL: 'http://localhost:3001',
    GATEWAY_BASE_URL: 'http://localhost:4011',
    EMBED_ORIGINS: 'http://127.0.0.1:4021',
    ONRAMP_ORIGINS: 'http://localhost:4011',
    MERCHANT_AUTHORIZE_URL: '',
  })
  expect(sandbox['SANDBOX_SHOP_URL']).toBe('http://127.0.0.1:4021/?user={user}')
  expect(shop).toMatchObject({ CASHIER_URL: 'http://localhost:3001', SANDBOX_URL: 'http://localhost:4011' })
})

test('it asks for the last four characters, and its explorer links lead to the sandbox', () => {
  const { cashier } = demoEnvironments(options)
  expect(cashier['EXPLORER_URL']).toBe('http://localhost:4011/explorer/{network}/{hash}')
  const above = amountsByCode(cashier['WITHDRAWAL_CONFIRM_ABOVE'] ?? '') ?? {}
  expect(asksForLastCharacters(above, 'USDT', '25')).toBe(true)
  // A magic amount needs no such question.
  expect(asksForLastCharacters(above, 'USDT', '5.0701')).toBe(false)
})

test('with --merchant-decides the cashier asks the shop before each withdrawal', () => {
  const { cashier, shop } = demoEnvironments({ ...options, merchantDecides: true })
  expect(cashier['MERCHANT_AUTHORIZE_URL']).toBe('http://127.0.0.1:4021/merchant/authorize')
  expect(shop['MERCHANT_DECISION']).toBe('postpone')
})

test('a backend of the integrator replaces the shop; its variables and the addresses that are called are printed', () => {
  const own = { ...options, backend: 'http://127.0.0.1:8080' }
  const { cashier } = demoEnvironments(own)
  expect(cashier).toMatchObject({
    EMBED_ORIGINS: 'http://127.0.0.1:8080',
    MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:8080/webhook',
    MERCHANT_AUTHORIZE_URL: 'http://127.0.0.1:8080/authorize',
  })
  const { PUBLIC_URL, MERCHANT_API_KEY, MERCHANT_WEBHOOK_SECRET, MERCHANT_WEBHOOK_URL, MERCHANT_AUTHORIZE_URL } =
    cashier
  for (const part of [
    `export CASHIER_URL=${String(PUBLIC_URL)} MERCHANT_API_KEY=${String(MERCHANT_API_KEY)} MERCHANT_WEBHOOK_SECRET=${String(MERCHANT_WEBHOOK_SECRET)}\n`,
    ` ${String(MERCHANT_WEBHOOK_URL)}\n`,
    ` ${String(MERCHANT_AUTHORIZE_URL)}\n`,
  ])
    expect(backendText(own)).toContain(part)
})

test('every variable of the cashier is set, so that neither the shell nor .env changes it', () => {
  const documented = Array.from(readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm), ([, name]) => name)
  expect(documented.length).toBeGreaterThan(20)
  expect(Object.keys(demoEnvironments(options).cashier)).toEqual(expect.arrayContaining(documented))
})
