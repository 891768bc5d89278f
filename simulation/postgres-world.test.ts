import { expect, inject, test } from 'vitest'
import { planOf } from './plan.ts'
import { openPostgresWorld } from './postgres-world.ts'

test('on PostgreSQL no virtual time passes while the tables are read', async () => {
  const { settings } = planOf('1', {})
  const database = await openPostgresWorld(inject('postgresUrl'), settings)
  try {
    let hasRead = false
    const reading = database.rows('select 1 as one, pg_sleep(0.2)').then((rows) => {
      hasRead = true
      return rows
    })
    await database.settled()
    expect(hasRead).toBe(true)
    expect(await reading).toMatchObject([{ one: 1 }])
  } finally {
    await database.close()
  }
})
