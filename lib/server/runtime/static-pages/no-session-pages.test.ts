import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { testConfig } from '../testing/config.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import { noSessionPages } from './no-session-pages.ts'

const HOST = 'https://shop.example'
const CHANNEL = 'a'.repeat(32)
const config = testConfig({
  SUPPORT_URL: 'https://support.example/?a=1&b="2"',
  THEME_TOKENS: '{"accent":"#123456"}',
})
const pages = noSessionPages(config)
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const between = (html: string, tag: string): string => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? ''

test.each(LOCALES)('%s: each document is made once, with its own policy and in its language', async (locale) => {
  const made = [pages.noSession(locale, false, null), pages.noSession(locale, true, null), pages.notFound(locale, '/x')]
  const statuses = []
  for (const one of made) {
    const answer = await one
    const html = answer.content
    const policy = answer.headers['content-security-policy'] ?? ''
    statuses.push(answer.status)
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"`)
    expect(policy).toContain(`style-src ${hash(between(html, 'style'))};`)
    if (html.includes('<script>')) expect(policy).toContain(`script-src ${hash(between(html, 'script'))};`)
    else expect(policy).toContain("script-src 'none'")
    expect(html).not.toMatch(/\s(style|on\w+)=/)
    expect(html).toContain('--accent:#123456')
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  expect(statuses).toEqual([200, 200, 404])
  expect(await pages.noSession(locale, false, null)).toBe(await made[0])
  expect(await pages.noSession(locale, true, null)).not.toBe(await made[0])
})

test('any support address is escaped as text', async () => {
  const html = (await pages.noSession('en', false, null)).content
  expect(html).toContain('href="https://support.example/?a=1&amp;b=%222%22"')
})

test('the page of an ended session leads to that session’s return URL', async () => {
  const back = async (returnUrl: string | null): Promise<string | undefined> =>
    /<a class="button top-only" href="([^"]*)"[^>]*>Back</.exec(
      (await pages.noSession('en', false, { returnUrl, merchantName: null })).content,
    )?.[1]
  expect(await back('https://shop.example/?a=1&b="2"')).toBe('https://shop.example/?a=1&amp;b=&quot;2&quot;')
  expect(await back('https://other.example/')).toBe('https://other.example/')
  expect(await back(null)).toBeUndefined()
})

test('the page of an ended session names the site that has a name', async () => {
  const wayBack = { returnUrl: 'https://shop.example/', merchantName: 'A & <b>' }
  const html = (await pages.noSession('en', false, wayBack)).content
  expect(html).toContain('>Return to A &amp; &lt;b&gt; and open the cashier again.<')
  expect(html).toContain('>Return to A &amp; &lt;b&gt;</a>')
  expect(html).not.toContain('the site you came from')
})

test('an unknown page leads to the session in its URL, else to the site and to support', async () => {
  const html = async (path: string): Promise<string> => (await pages.notFound('en', path)).content
  const id = '2b0a5bd2-0a0e-4a39-9a0b-0a8b1f0b7a55'
  expect(await html(`/c/${id}/settings`)).toContain(`<a class="button" href="/c/${id}">Open the cashier</a>`)
  for (const path of ['/nowhere', '/c/"><script>/x', `/c/${id}`]) {
    expect(await html(path)).toContain('Go back to the site you came from and open the cashier again.')
    expect(await html(path)).not.toContain('class="button"')
    expect(await html(path)).toContain('data-testid="support"')
  }
})

test('the colours are the same as in the pages', () => {
  const css = readFileSync('app/theme.css', 'utf8')
  const colours = [...DOCUMENT_STYLE.matchAll(/(--[a-z0-9-]+:#[0-9a-f]+)/g)].map(([, one = '']) => one)
  expect(colours.length).toBeGreaterThan(10)
  for (const one of colours) expect(css).toContain(one.replace(':', ': '))
})

interface Sent {
  readonly type: string
  readonly height?: number
}

const NAME = { cashier: 1, channel: CHANNEL, origin: HOST }

/** Runs the page's script in a frame with a minimal document. */
async function run({ blocked = false, name = NAME }: { blocked?: boolean; name?: unknown }) {
  const html = (await pages.noSession('en', blocked, null)).content
  const sent: (readonly [Sent, string])[] = []
  const parent = { postMessage: (message: Sent, origin: string) => sent.push([message, origin]) }
  const attributes: Record<string, string> = {}
  const element = () => ({
    dataset: {} as Record<string, string>,
    textContent: '',
    hidden: false,
    setAttribute: (key: string, value: string) => (attributes[key] = value),
    addEventListener: (_type: string, listener: () => void) => clicks.push(listener),
  })
  const clicks: (() => void)[] = []
  const elements: Record<string, ReturnType<typeof element>> = { again: element(), open: element(), status: element() }
  const listeners: ((event: unknown) => void)[] = []
  const root = { dataset: { theme: 'auto' } as Record<string, string>, lang: 'en', dir: 'ltr' }
  const window = {
    name: JSON.stringify(name),
    innerWidth: 340,
    parent,
    addEventListener: (_type: string, listener: (event: unknown) => void) => listeners.push(listener),
  }
  const document = {
    documentElement: root,
    body: { getBoundingClientRect: () => ({ width: 340, height: 99.5 }) },
    getElementById: (id: string) => elements[id],
    querySelectorAll: () => Object.values(elements),
  }
  class ResizeObserver {
    readonly #changed: () => void
    constructor(changed: () => void) {
      this.#changed = changed
    }
    observe() {
      this.#changed()
    }
  }
  const fetched: string[] = []
  const fetch = (path: string) => {
    fetched.push(path)
    const messages = { 'problem.sessionEnded.reopening': 'Sie wird erneut geöffnet.' }
    const catalogue = { locale: 'de', direction: 'ltr', messages }
    return Promise.resolve({ ok: true, json: () => Promise.resolve(catalogue) })
  }
  const setTimeout = (then: () => void): void => then()
  const globals = { window, document, ResizeObserver, fetch, setTimeout, setInterval: () => 0, encodeURIComponent }
  runInNewContext(between(html, 'script'), globals)
  const say = (data: unknown, from = HOST, source: unknown = parent): void =>
    listeners.forEach((listener) => listener({ source, origin: from, data }))
  return { sent, say, elements, attributes, clicks, root, fetched }
}

const host = { cashier: 1, channel: CHANNEL }

test('in the merchant’s frame it reports the ended session and its height', async () => {
  const { sent, elements } = await run({})
  expect(sent.map(([{ type }]) => type)).toEqual(['resize', 'session_ended'])
  expect(sent[0]).toEqual([{ ...host, type: 'resize', height: 100 }, HOST])
  expect(elements['again']?.textContent).toBe('Opening it again.')
})

test('in another site’s frame, or a frame without our name, it reports nothing', async () => {
  const names = [{ cashier: 1, channel: CHANNEL, origin: 'https://evil.example' }, { cashier: 2 }, null, 'x']
  for (const name of [...names, { ...host, channel: 'x', origin: HOST }]) expect((await run({ name })).sent).toEqual([])
})

test('if the cookie is blocked, it offers a link that works once', async () => {
  const { sent, say, elements, attributes, clicks, root } = await run({ blocked: true })
  expect(sent.map(([{ type }]) => type)).toEqual(['resize', 'fresh_token_wanted'])
  for (const [data, from, source] of [
    [{ ...host, type: 'fresh_token', token: 'x' }, 'https://evil.example'],
    [{ ...host, type: 'fresh_token', token: 'x' }, HOST, {}],
    [{ ...host, channel: 'b'.repeat(32), type: 'fresh_token', token: 'x' }],
    [{ ...host, type: 'fresh_token', token: 'with a space' }],
    [{ ...host, type: 'fresh_token', token: 'x', theme: 'dark', locale: 'no tag' }],
  ] as const)
    say(data, from, source)
  expect(attributes).toEqual({})
  say({ ...host, type: 'fresh_token', token: 'a&b' })
  expect(attributes['href']).toBe('/launch?token=a%26b')
  // Changes by the merchant's page come with the token, or later.
  say({ ...host, type: 'fresh_token', token: 'a&b', theme: 'dark' })
  expect([attributes['href'], root.dataset['theme']]).toEqual(['/launch?token=a%26b&theme=dark', 'dark'])
  say({ ...host, type: 'update', locale: 'de-AT', theme: 'light' })
  expect(attributes['href']).toBe('/launch?token=a%26b&locale=de-AT&theme=light')
  expect([elements['open']?.hidden, elements['status']?.hidden]).toEqual([false, true])
  clicks.forEach((click) => click())
  expect([elements['open']?.hidden, elements['status']?.textContent]).toEqual([true, 'Getting a new link'])
  say({ ...host, type: 'token_failed' })
  expect(elements['status']?.textContent).toBe('We could not get a link. Please reload the page.')
})

test('the link opens in the language of the merchant’s page, even if this page already has it', async () => {
  const name = { ...host, origin: HOST, locale: 'en' }
  const { say, attributes, fetched, root } = await run({ blocked: true, name })
  say({ ...host, type: 'fresh_token', token: 'a' })
  expect([attributes['href'], fetched]).toEqual(['/launch?token=a&locale=en', []])
  say({ ...host, type: 'update', locale: 'de' })
  await expect.poll(() => root.lang).toBe('de')
  say({ ...host, type: 'update', locale: 'de' })
  expect([attributes['href'], fetched]).toEqual(['/launch?token=a&locale=de', ['/messages/de']])
})

test('the merchant’s language and theme win', async () => {
  const { root, fetched, elements, say } = await run({
    name: { ...host, origin: HOST, locale: 'de-AT', theme: 'dark' },
  })
  expect(root.dataset['theme']).toBe('dark')
  await expect.poll(() => root.lang).toBe('de')
  expect(fetched).toEqual(['/messages/de-AT'])
  expect(elements['again']?.textContent).toBe('Sie wird erneut geöffnet.')
  say({ ...host, type: 'update', theme: 'light', locale: '../x' })
  expect([root.dataset['theme'], fetched.length]).toEqual(['dark', 1])
  say({ ...host, type: 'update', theme: 'light' })
  expect([root.dataset['theme'], fetched.length]).toEqual(['light', 1])
})
