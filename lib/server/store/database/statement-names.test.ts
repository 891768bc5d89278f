import { expect, test } from 'vitest'
import { statementNames } from './statement-names.ts'

test('a text gets a name at its second use, and keeps it', () => {
  const names = statementNames()
  expect(names.nameOf('select 1')).toBeUndefined()
  const name = names.nameOf('select 1')
  expect(name).toMatch(/^cashier_[0-9a-f]{40}$/)
  expect(names.nameOf('select 1')).toBe(name)
  names.nameOf('select 2')
  expect(names.nameOf('select 2')).not.toBe(name)
})

test('a name depends on the text alone, not on the order in which an instance uses its statements', () => {
  const [one, another] = [statementNames(), statementNames()]
  for (const text of ['select 1', 'select 1', 'select 2']) one.nameOf(text)
  another.nameOf('select 2')
  expect(one.nameOf('select 2')).toBe(another.nameOf('select 2'))
  another.nameOf('select 1')
  expect(one.nameOf('select 1')).toBe(another.nameOf('select 1'))
})

test('after 500 texts new ones get no name, and earlier ones keep theirs', () => {
  const names = statementNames()
  const named = (text: string): string | undefined => {
    names.nameOf(text)
    return names.nameOf(text)
  }
  const first = named('select 0')
  for (let n = 1; n < 500; n += 1) expect(named(`select ${n}`)).toBeDefined()
  expect(named('select 500')).toBeUndefined()
  expect(names.nameOf('select 0')).toBe(first)
})

test('after a migration each text gets a new name; other errors change nothing', () => {
  const names = statementNames()
  names.nameOf('select 1')
  const before = names.nameOf('select 1')
  expect(names.areOutdatedBy(Object.assign(new Error('another feature'), { code: '0A000' }))).toBe(false)
  expect(names.nameOf('select 1')).toBe(before)
  const outdated = Object.assign(new Error('cached plan must not change result type'), { code: '0A000' })
  expect(names.areOutdatedBy(outdated)).toBe(true)
  names.nameOf('select 1')
  expect(names.nameOf('select 1')).not.toBe(before)
})
