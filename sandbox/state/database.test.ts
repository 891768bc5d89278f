import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { takeNonce } from './merchants.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('a nonce stays taken when the file is opened again', () => {
  const path = join(folder, 'deep', 'a.db')
  const first = openDatabase(path)
  expect([takeNonce(first, 'm', 'n', 1), takeNonce(first, 'm', 'n', 2), takeNonce(first, 'other', 'n', 2)]).toEqual([
    true,
    false,
    true,
  ])
  first.close()
  const second = openDatabase(path)
  expect(takeNonce(second, 'm', 'n', 3)).toBe(false)
  second.close()
})

test('an error inside a commit leaves no change behind', () => {
  const database = openDatabase(':memory:')
  expect(() =>
    database.atomically(() => {
      takeNonce(database, 'm', 'n', 1)
      database.atomically(() => takeNonce(database, 'm', 'o', 1))
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(takeNonce(database, 'm', 'n', 2)).toBe(true)
  expect(takeNonce(database, 'm', 'o', 2)).toBe(true)
  database.close()
})

test('a file with tables of another version is emptied', () => {
  const path = join(folder, 'a.db')
  const old = new DatabaseSync(path)
  old.exec('CREATE TABLE webhooks (id INTEGER); CREATE TABLE nonces (a TEXT); PRAGMA user_version = 1')
  old.close()
  const database = openDatabase(path)
  expect(takeNonce(database, 'm', 'n', 1)).toBe(true)
  expect(database.all('SELECT ordering_key FROM webhooks')).toEqual([])
  database.close()
})
