import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCheckpoints } from './checkpoints.ts'
import { connectDatabase } from './database.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sizeOf = (file: string): number => statSync(file).size

test('what many commits have changed is written back while the database is in use', async () => {
  const file = join(folder, 'cashier.db')
  const database = connectDatabase(`file:${file}`)
  const { db } = database
  await sql`create table notes (text text)`.execute(db)
  const empty = sizeOf(file)
  const insert = (count: number) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into notes select hex(randomblob(20)) from n`.execute(db)
  await insert(20_000)
  expect(sizeOf(file)).toBe(empty)
  await insert(20_000)
  await vi.waitFor(() => expect(sizeOf(file)).toBeGreaterThan(1_000_000), { timeout: 20_000 })
  await database.close()
  const read = new DatabaseSync(file, { readOnly: true })
  expect(read.prepare('select count(*) as count from notes').get()).toMatchObject({ count: 40_000 })
  read.close()
})

test('a thread that fails stops nothing', async () => {
  const checkpoints = createCheckpoints(join(folder, 'no', 'such', 'folder'))
  checkpoints.changed(1_000_000)
  await expect(checkpoints.stop()).resolves.toBeUndefined()
  checkpoints.changed(1_000_000)
  await expect(checkpoints.stop()).resolves.toBeUndefined()
})

test('where no thread may be started, a commit does not fail for that', () => {
  const program = `import { createCheckpoints } from '${import.meta.resolve('./checkpoints.ts')}'
    const checkpoints = createCheckpoints('cashier.db')
    checkpoints.changed(1_000_000)
    checkpoints.changed(1_000_000)
    await checkpoints.stop()`
  const allowed = ['--permission', '--allow-fs-read=*', '--input-type=module']
  const { status, stderr } = spawnSync(process.execPath, [...allowed, '-e', program], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
