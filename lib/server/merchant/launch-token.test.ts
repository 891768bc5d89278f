import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashLaunchToken, isOurLaunchToken, makeLaunchToken } from './launch-token.ts'

const OLD = 'o'.repeat(32)
const NEW = 'n'.repeat(32)

test('a token is ours while the secret that made it is configured, also after a rotation', () => {
  const token = makeLaunchToken(OLD, randomBytes)
  expect(isOurLaunchToken(token, [OLD])).toBe(true)
  expect(isOurLaunchToken(token, [NEW, OLD])).toBe(true)
  expect(isOurLaunchToken(token, [NEW])).toBe(false)
})

test('a token is opaque, needs no escaping in forms and URLs, and is unique', () => {
  const tokens = Array.from({ length: 50 }, () => makeLaunchToken(NEW, randomBytes))
  expect(new Set(tokens).size).toBe(50)
  for (const token of tokens) expect(encodeURIComponent(token)).toBe(token)
})

test('a token with a changed character, a part of a token, or another format is not ours', () => {
  const token = makeLaunchToken(NEW, randomBytes)
  for (let at = 0; at < token.length; at += 1) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    // The last character of base64url has unused bits; they must not give a second valid spelling.
    if (hashLaunchToken(changed) !== hashLaunchToken(token) && at < token.length - 1) {
      expect(isOurLaunchToken(changed, [NEW])).toBe(false)
    }
  }
  for (const other of ['', token.slice(1), `${token}A`, token.replace('.', ''), 'abc.def']) {
    expect(isOurLaunchToken(other, [NEW])).toBe(false)
  }
})

test('the store gets a hash that does not contain the token', () => {
  const token = makeLaunchToken(NEW, randomBytes)
  expect(hashLaunchToken(token)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashLaunchToken(token)).not.toBe(hashLaunchToken(`${token} `))
})
