import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleCurrency, sampleRecord } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { rowsTouched, sqlitePlans } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

describe.each(FLAVOURS)('a step of a file on %s', (flavour) => {
  const stores = useStores(flavour)

  test('costs as much at the end as at the start', async () => {
    await stores.one.users.ensure('u', 1)
    await seed(stores.one, {
      currencies: [sampleCurrency],
      records: Array.from({ length: 2000 }, (_item, index) =>
        sampleRecord({ transaction_uuid: `t${index}`, inserted_ms: index }),
      ),
      bookings: Array.from({ length: 2000 }, (_item, index) => ({
        booking: 'adjustment',
        posting_key: `adjustment:u:${index}`,
        user_reference_id: 'u',
        currency_id: 'c1',
        amount: decimal('1'),
      })),
    })
    const { exports } = stores.one
    const steps = [
      () => exports.postingsAfter(null, { user: 'u', id: 1900 }, 10),
      () => exports.postingsAfter('u', { user: 'u', id: 1900 }, 10),
      () => exports.recordsBefore('u', { fromMs: 0, before: { inserted_ms: 100, transaction_uuid: 't100' } }, 10),
    ]
    if (flavour === 'postgres') {
      await stores.one.database.pool?.query('analyze')
      for (const step of steps) expect(await rowsTouched(stores.one, step)).toBeLessThan(300)
    } else {
      const plans = (
        await sqlitePlans(stores.url, async () => {
          for (const step of steps) await step()
        })
      ).join('\n')
      expect(plans).toMatch(/SEARCH postings USING INDEX postings_key \(user_reference_id=\? AND id>\?\)/)
      expect(plans).toMatch(
        /SEARCH records USING INDEX records_user \(user_reference_id=\? AND inserted_ms>\? AND inserted_ms<\?\)/,
      )
      expect(plans).not.toMatch(/SEARCH postings[^\n]*user_reference_id>\? AND/)
    }
  })
})
