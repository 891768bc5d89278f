import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { loadCatalogue } from './catalogue.ts'
import { compileMessage } from './compile.ts'
import { createTranslator, type Catalogue, type MessageKey } from './translator.ts'

const marks = { decimal: ',', group: '.', groupFrom: 1 }
const translate = (source: string, locale: Catalogue['locale'] = 'en') => {
  const messages = { 'shell.title': compileMessage(source) } as Catalogue['messages']
  return createTranslator({ locale, marks, messages })
}
const key: MessageKey = 'shell.title'

test('plain text stays one string', () => {
  expect(compileMessage('Deposit')).toBe('Deposit')
  expect(translate('Deposit').text(key)).toBe('Deposit')
})

test('values are inserted', () => {
  expect(translate('{code} on {network}').text(key, { code: 'USDT', network: 'Tron' })).toBe('USDT on Tron')
})

test('a value turns no text after it: its marks of direction are left out', () => {
  const names = { code: 'A\u202eB', network: '\u2067Net\u202d' }
  expect(translate('Send only {code} on {network}.').text(key, names)).toBe('Send only AB on Net.')
  expect(translate('<b>{code}</b>!').rich(key, { ...names, b: (children) => children.join('') })).toEqual(['AB', '!'])
})

test('plurals follow the language, exact numbers first', () => {
  const source = '{n, plural, =0 {none} one {# day} few {# дня} many {# дней} other {# days}}'
  expect(translate(source).text(key, { n: 0 })).toBe('none')
  expect(translate(source).text(key, { n: 1 })).toBe('1 day')
  expect(translate(source).text(key, { n: 2000 })).toBe('2.000 days')
  expect(translate(source, 'ru').text(key, { n: 3 })).toBe('3 дня')
  expect(translate(source, 'ru').text(key, { n: 5 })).toBe('5 дней')
})

test('an offset is subtracted', () => {
  expect(translate('{n, plural, offset:1 one {# other} other {# others}}').text(key, { n: 3 })).toBe('2 others')
})

test('select falls back to other', () => {
  const source = '{kind, select, deposit {In} other {Out}}'
  expect(translate(source).text(key, { kind: 'deposit' })).toBe('In')
  expect(translate(source).text(key, { kind: 'x' })).toBe('Out')
})

test('tags call their function and are left out of plain text', () => {
  const { rich, text } = translate('Send only <b>{code}</b>.')
  expect(rich(key, { code: 'BTC', b: (children: readonly unknown[]) => ({ strong: children }) })).toEqual([
    'Send only ',
    { strong: ['BTC'] },
    '.',
  ])
  expect(text(key, { code: 'BTC' })).toBe('Send only BTC.')
})

test('a value is never parsed as a message', () => {
  expect(translate('{code}').text(key, { code: '{network} <b>' })).toBe('{network} <b>')
})

test('number and date formats are refused', () => {
  expect(() => compileMessage('{n, number}')).toThrow(SyntaxError)
  expect(() => compileMessage('{t, date, short}')).toThrow(SyntaxError)
})

test.each(LOCALES)('%s compiles completely', async (locale) => {
  const catalogue = await loadCatalogue(locale)
  expect(catalogue.locale).toBe(locale)
  expect(createTranslator(catalogue).text('flow.deposit')).not.toBe('')
  expect(await loadCatalogue(locale)).toBe(catalogue)
})
