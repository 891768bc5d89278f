import { existsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newScratchFolder } from './scratch-folder.ts'

test('the folder lets other users reach subfolders, and is removed with its content', () => {
  const { path, remove } = newScratchFolder()
  writeFileSync(join(path, 'file'), 'text')
  expect(statSync(path).mode & 0o777).toBe(0o711)
  remove()
  expect(existsSync(path)).toBe(false)
})

test('without a file system in memory, it is in the folder for temporary files', () => {
  const { path, remove } = newScratchFolder('/no/such/folder')
  expect(dirname(path)).toBe(tmpdir())
  remove()
})
