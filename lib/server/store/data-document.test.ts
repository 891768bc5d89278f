import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useStores } from './testing/use-stores.ts'

const stores = useStores('sqlite')

test('docs/explanation/security.md describes every table and view, and no other', async () => {
  const query = sql<{ name: string }>`
    select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'`
  const { rows } = await query.execute(stores.one.database.db)
  const document = readFileSync(new URL('../../../docs/explanation/security.md', import.meta.url), 'utf8')
  const [, section = ''] = document.split('\n## What is stored')
  const entries = [...(section.split('\n## ')[0] ?? '').matchAll(/^- ([^(]+) \(/gm)].map(([, names = '']) => names)
  const told = entries.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  // Only PostgreSQL has it.
  expect(told.filter((name) => name !== 'rate_limits').sort()).toEqual(rows.map(({ name }) => name).sort())
})
