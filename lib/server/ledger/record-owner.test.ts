import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Fact, ListedRecord } from './facts.ts'
import { asOwnRecord, foreignNames, ownerOfRecord, spelledOtherwise } from './record-owner.ts'

const KNOWN = new Set(['ALICE', 'bob'])

test.each([
  ['alice', 'alice', 'own'],
  ['alice', 'Alice', 'own'],
  ['alice', 'ALICE', 'foreign'],
  ['ALICE', 'ALICE', 'own'],
  ['alice', 'bob', 'foreign'],
  ['alice', 'nobody', 'foreign'],
  ['alice', ' alice', 'foreign'],
  ['alice', 'alicé', 'foreign'],
  ['alice', '', 'foreign'],
] as const)('in the list of %j, a record of %j is %s', (asked, named, owner) => {
  expect(ownerOfRecord(asked, named, (name) => KNOWN.has(name))).toBe(owner)
})

test('only names that differ in case alone are looked up, each once', () => {
  const names = ['alice', 'ALICE', 'bob', 'Alice', 'ALICE']
  expect(spelledOtherwise('alice', names)).toEqual(['ALICE', 'Alice'])
  expect([...foreignNames('alice', names, KNOWN)]).toEqual(['ALICE', 'bob'])
})

const fact = { kind: 'deposit', user_reference_id: 'ALICE', amount: decimal('1') } as unknown as Fact
const listed = {
  transaction_uuid: 't',
  user_reference_id: 'ALICE',
  record: '{"user_ref_id":"ALICE"}',
} as unknown as ListedRecord

test('an own record gets the spelling that was asked for, in its facts too', () => {
  expect(asOwnRecord('alice', { ...listed, fact })).toMatchObject({
    user_reference_id: 'alice',
    record: '{"user_ref_id":"ALICE"}',
    fact: { user_reference_id: 'alice', amount: '1' },
  })
  expect(asOwnRecord('alice', { ...listed, fact: null, readings: [fact] })).toMatchObject({
    fact: null,
    readings: [{ user_reference_id: 'alice' }],
  })
})
