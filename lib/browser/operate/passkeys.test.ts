import { describe, expect, test } from 'vitest'
import { RequestFailure } from '../request-failure.ts'
import { passkeyFault, suggestedPasskeyName } from './passkeys.ts'

const named = (name: string, message = ''): Error => Object.assign(new Error(message), { name })

test.each([
  [named('NotAllowedError'), 'given_up'],
  [named('AbortError'), 'given_up'],
  [named('InvalidStateError'), 'known'],
  [named('SecurityError'), 'not_here'],
  [named('Error', 'WebAuthn is not supported in this browser'), 'not_here'],
  [new RequestFailure('unauthenticated', { requestId: null }), 'refused'],
  [new RequestFailure('rate_limited', { requestId: null }), 'other'],
  [named('TypeError'), 'other'],
  ['odd', 'other'],
])('%s means %s', (error, fault) => {
  expect(passkeyFault(error)).toBe(fault)
})

describe('a new passkey is named by browser and system', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['odd', 'Passkey'],
  ])('%s', (agent, name) => {
    expect(suggestedPasskeyName(agent)).toBe(name)
  })
})
