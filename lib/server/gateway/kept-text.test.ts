import { describe, expect, test } from 'vitest'
import { keptText } from './kept-text.ts'

describe('keptText', () => {
  test('strikes each secret wherever it is', () => {
    expect(keptText('{"key":"abc","also":"abc","nonce":"n-1"}', ['abc', 'n-1', ''])).toBe(
      '{"key":"[struck]","also":"[struck]","nonce":"[struck]"}',
    )
  })

  test('keeps 4 kB, and no half of a character or of a secret', () => {
    expect(keptText('x'.repeat(5000), [])).toHaveLength(4096)
    expect(keptText(`${'x'.repeat(4095)}€€`, [])).toBe('x'.repeat(4095))
    const secret = 's'.repeat(100)
    expect(keptText(`${'x'.repeat(4050)}${secret}`, [secret])).toBe(`${'x'.repeat(4050)}[struck]`)
  })

  test('is text that both databases can store, whatever the bytes', () => {
    expect(keptText(Uint8Array.of(0x61, 0, 0xff, 0x62), [])).toBe('a\uFFFD\uFFFDb')
    expect(keptText('', ['a'])).toBe('')
  })
})
