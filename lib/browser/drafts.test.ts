import { expect, test } from 'vitest'
import { createDrafts } from './drafts.ts'

const FORM = { amount: '', address: '' }
const OTHER = { amount: '' }

test('each form has its own draft, which keeps the typed values and reports each change', () => {
  const drafts = createDrafts()
  let told = 0
  const stop = drafts.subscribe(() => {
    told += 1
  })
  expect(drafts.get(FORM)).toBe(FORM)
  drafts.change(FORM, { amount: '4' })
  drafts.change(FORM, { address: 'T' })
  expect(drafts.get(FORM)).toEqual({ amount: '4', address: 'T' })
  expect(drafts.get(FORM)).toBe(drafts.get(FORM))
  expect(drafts.get(OTHER)).toBe(OTHER)
  expect([told, FORM]).toEqual([2, { amount: '', address: '' }])
  stop()
  drafts.change(FORM, FORM)
  expect([drafts.get(FORM), told]).toEqual([FORM, 2])
})

test('another page does not have the draft', () => {
  createDrafts().change(FORM, { amount: '4' })
  expect(createDrafts().get(FORM)).toBe(FORM)
})
