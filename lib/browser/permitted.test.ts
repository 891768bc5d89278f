import { expect, test } from 'vitest'
import { isClipboardDenied, mayReadClipboard, mayShare, type PermittedOptions } from './permitted.ts'

const policy = (features: readonly string[], allowed: readonly string[]) => ({
  features: () => features,
  allowsFeature: (name: string) => allowed.includes(name),
})
const clipboard = { readText: () => undefined }
const share = () => undefined
const page = (
  navigator: PermittedOptions['navigator'],
  featurePolicy?: PermittedOptions['document']['featurePolicy'],
): PermittedOptions => ({ navigator, document: featurePolicy ? { featurePolicy } : {} })

test.each([
  ['no clipboard, as over http', page({}), false],
  ['a clipboard that cannot be read', page({ clipboard: {} }), false],
  ['an engine that does not say in advance', page({ clipboard }), true],
  ['a frame with the permission', page({ clipboard }, policy(['clipboard-read'], ['clipboard-read'])), true],
  ['a frame without the permission', page({ clipboard }, policy(['clipboard-read'], [])), false],
  ['a policy without that feature', page({ clipboard }, policy(['camera'], [])), true],
])('reading the clipboard with %s: %s', (_name, options, may) => {
  expect(mayReadClipboard(options)).toBe(may)
})

test.each([
  ['nothing to share with', page({}), false],
  ['an engine that does not say in advance', page({ share }), true],
  ['a frame with the permission', page({ share, canShare: () => true }, policy(['web-share'], ['web-share'])), true],
  ['a frame without the permission', page({ share, canShare: () => false }), false],
  ['a policy that refuses', page({ share }, policy(['web-share'], [])), false],
  ['a policy without that feature', page({ share }, policy([], [])), true],
])('sharing with %s: %s', (_name, options, may) => {
  expect(mayShare(options)).toBe(may)
})

test.each([
  ['denied', true],
  ['prompt', false],
  ['granted', false],
])('a clipboard whose state is %s is denied: %s', async (state, denied) => {
  expect(await isClipboardDenied(page({ permissions: { query: () => Promise.resolve({ state }) } }))).toBe(denied)
})

test('an engine that does not know this permission, or has no permissions API, does not deny it', async () => {
  const query = () => Promise.reject(new TypeError('clipboard-read'))
  expect(await isClipboardDenied(page({ permissions: { query } }))).toBe(false)
  expect(await isClipboardDenied(page({}))).toBe(false)
})
