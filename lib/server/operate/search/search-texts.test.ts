import { expect, test } from 'vitest'
import { searchTexts } from './search-texts.ts'

const whole = (text: string) => ({ text, isPrefix: false })
const begins = (text: string) => ({ text, isPrefix: true })

test('a uuid is looked for as typed and in lower case, whole and as a beginning', () => {
  expect(searchTexts(' 0198C1A2-0000 ').ids).toEqual(
    ['0198C1A2-0000', '0198c1a2-0000'].flatMap((text) => [whole(text), begins(text)]),
  )
})

test('short texts, and texts that no id has, begin nothing', () => {
  expect(searchTexts('abcde')).toMatchObject({ ids: [whole('abcde')], hashes: [], addresses: [] })
  expect(searchTexts('ab cdefg').ids).toEqual([whole('ab cdefg')])
  expect(searchTexts('abcdefü').ids).toEqual([whole('abcdefü')])
})

test('a hash is looked for without 0x, in lower case if it is hexadecimal', () => {
  expect(searchTexts('0xABCDEF12').hashes).toEqual([whole('abcdef12'), begins('abcdef12')])
  expect(searchTexts('5VERYbase58Hash').hashes).toEqual([whole('5VERYbase58Hash'), begins('5VERYbase58Hash')])
})

test('an address is looked for in lower case, as the index has it', () => {
  expect(searchTexts('TGFw8hUXtAR').addresses).toEqual([whole('tgfw8huxtar'), begins('tgfw8huxtar')])
})

test.each([
  ['17', 17, 17],
  ['a1b2c3d4e5f6a1b2c3d4e5f6-42', null, 42],
  ['1234567890123456', null, null],
  ['w-17', null, null],
])('%s is line %s of the quarantine and event %s of the feed', (text, number, cursor) => {
  expect(searchTexts(text)).toMatchObject({ number, cursor })
})
