import { describe, expect, test } from 'vitest'
import { createReader, type Kept } from './cashier/create-reader.ts'
import { subjectsOf } from './corrected-subjects.ts'
import { PHASE_MS, silencesOf, type Reader } from './corrected.ts'
import { START_MS } from './wire.ts'

/** Long enough for: a word, another that a person acts on, a third that a person acts on, and a fourth. */
const WORDS = 4
/** For subjects that have most of their rules in common with another, and where the keeper of the books changes. */
const FEWER_WORDS = 3
const ALIKE = ['a payout of nobody', 'a withdrawal without a reply']

/** The time between the second and the third word. */
const CHANGED_MS = START_MS + 2.5 * PHASE_MS

describe.each([
  { keeper: 'the ledger', first: 'embedded', then: 'embedded' },
  { keeper: 'the merchant', first: 'merchant', then: 'merchant' },
  { keeper: 'the ledger, then the merchant', first: 'embedded', then: 'merchant' },
  { keeper: 'the merchant, then the ledger', first: 'merchant', then: 'embedded' },
] as const)('kept by $keeper', ({ first, then }) => {
  const reader = createReader((at) => (at < CHANGED_MS ? first : then))

  describe.each(subjectsOf(first))('$name', (subject) => {
    test('of each change that a person could have corrected before, a person is told', () => {
      const words = first !== then || ALIKE.includes(subject.name) ? FEWER_WORDS : WORDS
      const { histories, silences } = silencesOf(reader, subject, words)
      expect(silences).toEqual([])
      expect(histories).toBeGreaterThan(5000)
    })

    test('without its lines, the change that nobody was told is found', () => {
      const silent: Reader<Kept> = {
        ...reader,
        books: (state) => ({ ...reader.books(state), lines: [], unowned: [] }),
      }
      expect(silencesOf(silent, subject, 2).silences.length).toBeGreaterThan(0)
    })
  })
})
