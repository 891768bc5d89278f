import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backUpFile } from '../commands/backup.ts'
import { connectDatabase, openDatabase } from './database.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cashier-files-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('only their user can read a new file, its log and its folder', async () => {
  const file = join(root, 'data', 'cashier.db')
  const before = process.umask(0o022)
  try {
    const database = await openDatabase(`file:${file}`)
    const modes = [join(root, 'data'), file, `${file}-wal`].map((path) => (statSync(path).mode & 0o777).toString(8))
    await database.close()
    expect(modes).toEqual(['700', '600', '600'])
  } finally {
    process.umask(before)
  }
})

test('a backup is not opened beside the log of the file that it replaces', async () => {
  const file = join(root, 'cashier.db')
  const database = await openDatabase(`file:${file}`)
  await backUpFile(file, join(root, 'backup.db'))
  await sql`insert into counters (name, value) values ('after the backup', 1)`.execute(database.db)
  // What a killed process leaves.
  const left = join(root, 'left.db')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${left}${end}`)
  await database.close()

  copyFileSync(join(root, 'backup.db'), left)
  expect(() => connectDatabase(`file:${left}`)).toThrow(`${left}-wal is the log of the file that it replaced`)
  rmSync(`${left}-wal`)
  const restored = await openDatabase(`file:${left}`)
  const { rows } = await sql`select name from counters where name = 'after the backup'`.execute(restored.db)
  await restored.close()
  expect(rows).toEqual([])
})
