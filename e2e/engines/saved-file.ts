import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import type { Engine } from './engine.ts'

/** Returns the content of the file that the browser has saved, and removes the file. */
export async function savedFile({ downloads }: Engine, name: RegExp): Promise<Buffer> {
  const found: Buffer[] = []
  await expect(() => {
    const files = readdirSync(downloads)
    // Firefox first creates an empty file, and writes into another one that ends with `.part`.
    expect(files.filter((file) => file.endsWith('.part') || file.endsWith('.wkdownload'))).toEqual([])
    const file = files.find((one) => name.test(one))
    const content = file === undefined ? Buffer.alloc(0) : readFileSync(join(downloads, file))
    expect(content.length, `${String(name)} among ${files.join()}`).toBeGreaterThan(0)
    found.push(content)
    rmSync(join(downloads, file ?? ''))
  }).toPass({ timeout: 60_000 })
  return found[0] ?? Buffer.alloc(0)
}
