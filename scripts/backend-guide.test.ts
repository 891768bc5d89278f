import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { EVENT_STATUSES } from '#lib/contract/merchant-replies.ts'
import { namesIn, rowsUnder } from './read-markdown.ts'

const text = readFileSync('docs/guides/backend.md', 'utf8')

test('the formula and the library confirm the worked example of the signature', () => {
  const rows = rowsUnder(text, 'The signature').map(([name = '', value = '']) => [
    name.replaceAll('`', ''),
    namesIn(value)[0],
  ])
  const example = Object.fromEntries(rows) as Record<string, string>
  const { secret = '', body = '' } = example
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => example[name] ?? '',
  )
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).toBe(signature)
  expect(new Webhook(secret).sign(id ?? '', new Date(Number(timestamp) * 1000), body)).toBe(signature)
})

test('the list of events has each kind and status, and no others', () => {
  const rows = rowsUnder(text, 'What each event means').map(([names = '']) => namesIn(names).join())
  const known = Object.entries(EVENT_STATUSES).flatMap(([kind, statuses]) => statuses.map((one) => `${kind},${one}`))
  expect(rows.toSorted()).toEqual(known.toSorted())
})

const secret = (...kinds: string[]) =>
  execFileSync(process.execPath, ['scripts/secret.ts', ...kinds], { encoding: 'utf8', stdio: 'pipe' })

test('`npm run secret` makes a new secret each time, which the cashier accepts', () => {
  const [one, other] = [secret('webhook'), secret('webhook')]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/)
  expect(one).not.toBe(other)
  expect(() => new Webhook(one.trim())).not.toThrow()
  expect(secret('api-key').trim().length).toBeGreaterThanOrEqual(32)
  expect(secret('session').trim().length).toBeGreaterThanOrEqual(32)
})

test.each([[[]], [['toString']], [['webhook', 'webhook']]])(
  '`npm run secret` with %j lists the valid names',
  (kinds) => {
    expect(() => secret(...kinds)).toThrow(/npm run -s secret -- webhook/)
  },
)
