import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { challengeEnd, newChallenge, type ChallengeSubject } from './challenges.ts'

const NOW = 1_800_000_000_000
const SUBJECT: ChallengeSubject = { purpose: 'touch', of: 's1' }
const made = (secret = 'one'): string =>
  Buffer.from(newChallenge(secret, SUBJECT, NOW, randomBytes)).toString('base64url')

describe('a challenge', () => {
  test('is ours until its five minutes are over, also after the secret was rotated', () => {
    const challenge = made()
    expect(challengeEnd(challenge, ['one'], SUBJECT, NOW)).toBe(NOW + 300_000)
    expect(challengeEnd(challenge, ['two', 'one'], SUBJECT, NOW + 299_999)).toBe(NOW + 300_000)
    expect(challengeEnd(challenge, ['one'], SUBJECT, NOW + 300_000)).toBeNull()
    expect(made()).not.toBe(challenge)
  })

  test('of another secret, purpose or subject is not ours', () => {
    expect(challengeEnd(made('two'), ['one'], SUBJECT, NOW)).toBeNull()
    expect(challengeEnd(made(), ['one'], { purpose: 'sign-in', of: 's1' }, NOW)).toBeNull()
    expect(challengeEnd(made(), ['one'], { purpose: 'touch', of: 's2' }, NOW)).toBeNull()
  })

  test('that was changed in any byte, cut or written otherwise is not ours', () => {
    const bytes = Buffer.from(made(), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(challengeEnd(changed.toString('base64url'), ['one'], SUBJECT, NOW)).toBeNull()
    }
    for (const cut of ['', bytes.subarray(0, 20).toString('base64url'), bytes.subarray(0, -1).toString('base64url')])
      expect(challengeEnd(cut, ['one'], SUBJECT, NOW)).toBeNull()
    expect(challengeEnd(`${bytes.toString('base64url')}=`, ['one'], SUBJECT, NOW)).toBeNull()
    // The texts differ, since these bytes are written with characters that base64url replaces.
    const high = Buffer.from(newChallenge('one', SUBJECT, NOW, (count) => Buffer.alloc(count, 255)))
    expect(challengeEnd(high.toString('base64url'), ['one'], SUBJECT, NOW)).toBe(NOW + 300_000)
    expect(challengeEnd(high.toString('base64'), ['one'], SUBJECT, NOW)).toBeNull()
  })
})
