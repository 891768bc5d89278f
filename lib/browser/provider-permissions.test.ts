import { expect, test } from 'vitest'
import { providerPermissions } from './provider-permissions.ts'

test('each feature is allowed for each origin', () => {
  const allow = providerPermissions(['https://pay.example', 'https://widget.example'])
  expect(allow).toMatch(/^camera https:\/\/pay\.example https:\/\/widget\.example; microphone https/)
  expect(allow).toContain('; encrypted-media https://pay.example https://widget.example')
})

test.each([[['https:']], [['https://pay.example', 'https://*.provider.example']]])(
  'the attribute allows no patterns, so %j allows each page that the policy lets into the frame',
  (origins) => {
    expect(providerPermissions(origins)).toMatch(/^camera \*; microphone \*;/)
  },
)
