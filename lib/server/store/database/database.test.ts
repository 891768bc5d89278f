import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'

test('only their user can read a new file, its log and its folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cashier-modes-'))
  const file = join(root, 'data', 'cashier.db')
  const before = process.umask(0o022)
  try {
    const database = await openDatabase(`file:${file}`)
    const modes = [join(root, 'data'), file, `${file}-wal`].map((path) => (statSync(path).mode & 0o777).toString(8))
    await database.close()
    expect(modes).toEqual(['700', '600', '600'])
  } finally {
    process.umask(before)
    rmSync(root, { recursive: true })
  }
})
