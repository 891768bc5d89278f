import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { matchLocale } from './match-locale.ts'

test.each([
  ['de-AT', 'de'],
  ['de_CH', 'de'],
  ['ES', 'es'],
  ['es-419', 'es'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hans'],
  ['ar-EG', 'ar'],
  ['ja-JP', 'ja'],
  ['fr-CA', 'fr'],
  ['en-GB', 'en'],
  ['nl', 'en'],
  ['und', 'en'],
  ['deu', 'de'],
  [`de-${'x'.repeat(5000)}`, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['not a tag', 'en'],
])('%j gives %s', (wanted, answer) => {
  expect(matchLocale([wanted])).toBe(answer)
})

test('the first match wins', () => {
  expect(matchLocale(['tlh', 'tr-CY', 'de'])).toBe('tr')
  expect(matchLocale([])).toBe('en')
})

test('long or many unknown tags cost little memory and time', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const round = (from: number): void => {
    for (let at = from; at < from + 10_000; at += 1) {
      const region = at.toString(36).padStart(5, '0')
      matchLocale([`de-${region}`, `xx-${region}`, `${String.fromCharCode(97 + (at % 26))}zz`])
    }
  }
  round(0)
  collect()
  const before = process.memoryUsage().heapUsed
  round(10_000)
  round(20_000)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000)
  const used = process.cpuUsage()
  for (let at = 0; at < 1000; at += 1) matchLocale([`de-${'a'.repeat(15_000)}${at}`])
  expect(process.cpuUsage(used).user).toBeLessThan(500_000)
})
