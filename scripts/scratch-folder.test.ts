import { existsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newScratchFolder } from './scratch-folder.ts'

test('a folder that others may pass through, gone with all that is in it', () => {
  const { path, remove } = newScratchFolder()
  writeFileSync(join(path, 'file'), 'text')
  expect(statSync(path).mode & 0o777).toBe(0o711)
  remove()
  expect(existsSync(path)).toBe(false)
})

test('without a file system in memory it is where temporary files are', () => {
  const { path, remove } = newScratchFolder('/no/such/folder')
  expect(dirname(path)).toBe(tmpdir())
  remove()
})
