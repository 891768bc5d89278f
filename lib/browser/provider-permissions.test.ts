import { expect, test } from 'vitest'
import { providerPermissions } from './provider-permissions.ts'

test('each feature is allowed for each origin', () => {
  const allow = providerPermissions(['https://pay.example', 'https://widget.example'])
  expect(allow).toMatch(/^camera https:\/\/pay\.example https:\/\/widget\.example; microphone https/)
  expect(allow).toContain('; encrypted-media https://pay.example https://widget.example')
})

test.each([[['https:']], [['https://pay.example', 'https://*.provider.example']]])(
  'an attribute has no patterns, so %j allows what the policy lets into the frame',
  (origins) => {
    expect(providerPermissions(origins)).toMatch(/^camera \*; microphone \*;/)
  },
)
