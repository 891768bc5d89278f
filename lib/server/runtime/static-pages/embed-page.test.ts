import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { embedPage } from './embed-page.ts'
import { EMBED_TEXTS } from '#lib/i18n/messages/embed-texts.ts'
import { inlineScript } from './inline-script.ts'

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
const between = (html: string, tag: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs')), ([, text = '']) => text)

const NONCE = 'bm9uY2Ugb2YgdGhlIHRlcw=='
const htmlFor = (...embedOrigins: readonly string[]): string =>
  embedPage({ embedOrigins, preload: '/_next/runtime.js' })(NONCE)

test('the only script and the only style have the nonce', () => {
  const html = htmlFor('http://127.0.0.1:4020')
  expect(html.match(/<(?:script|style)\b[^>]*>/g)).toEqual([`<style nonce="${NONCE}">`, `<script nonce="${NONCE}">`])
  expect(html).not.toMatch(/\s(style|on\w+)=/)
})

test('an origin with markup does not end the script', () => {
  const html = htmlFor('</script><script>alert(1)</script>')
  expect(between(html, 'script')).toHaveLength(1)
  expect(html).not.toContain('alert(1)</script>')
})

test('it preloads one script, and without its texts it is small', () => {
  const html = htmlFor('https://shop.example')
  expect(html.match(/<link\b[^>]*>/g)).toEqual([
    `<link rel="preload" as="script" media="not all" fetchpriority="low" href="/_next/runtime.js" nonce="${NONCE}">`,
  ])
  expect(html).not.toMatch(/\ssrc=/)
  expect(embedPage({ embedOrigins: [], preload: null })(NONCE)).not.toContain('<link')
  const texts = Buffer.byteLength(JSON.stringify(EMBED_TEXTS))
  expect(gzipSync(html).byteLength).toBeLessThan(4680)
  expect(Buffer.byteLength(html) - texts).toBeLessThan(8192)
})

test('the text has the reader’s size', () => {
  const [style = ''] = between(htmlFor(), 'style')
  expect(style).toMatch(/font:\.9375rem/)
  expect(style).not.toMatch(/font[^;}]*px/)
})

test('each language has each text', () => {
  for (const locale of LOCALES) {
    expect(Object.keys(EMBED_TEXTS[locale]).sort()).toEqual(['alone', 'failed', 'loading', 'retry'])
  }
})

interface FakeFrame {
  readonly name: string
  readonly parent: { postMessage(message: unknown, origin: string): void }
}

const run = (script: string, frame: FakeFrame): unknown => runInNewContext(script, { window: frame })

test('a report goes to the host in the frame’s name, if that host may embed us', () => {
  const channel = 'f'.repeat(32)
  const sent: unknown[] = []
  const parent = { postMessage: (message: unknown, origin: string) => sent.push([message, origin]) }
  const named = (origin: string): FakeFrame => ({ name: JSON.stringify({ cashier: 1, channel, origin }), parent })
  const { text, hash: said } = inlineScript('report', ['https://shop.example'], {
    type: 'error',
    code: 'token_used',
    message: '<x>',
  })

  run(text, named('https://shop.example'))
  run(text, named('https://other.example'))
  run(text, { name: '', parent })
  expect(said).toBe(hash(text))
  expect(sent).toEqual([
    [{ cashier: 1, channel, type: 'error', code: 'token_used', message: '<x>' }, 'https://shop.example'],
  ])
})
