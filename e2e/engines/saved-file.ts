import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import type { Engine } from './engine.ts'

/** The content of the file that the browser has saved; the file is removed. */
export async function savedFile({ downloads }: Engine, name: RegExp): Promise<Buffer> {
  const found: Buffer[] = []
  await expect(() => {
    const files = readdirSync(downloads)
    // Firefox makes an empty file first, and writes into one that ends with `.part`.
    expect(files.filter((file) => file.endsWith('.part') || file.endsWith('.wkdownload'))).toEqual([])
    const file = files.find((one) => name.test(one))
    const content = file === undefined ? Buffer.alloc(0) : readFileSync(join(downloads, file))
    expect(content.length, `${String(name)} among ${files.join()}`).toBeGreaterThan(0)
    found.push(content)
    rmSync(join(downloads, file ?? ''))
  }).toPass({ timeout: 60_000 })
  return found[0] ?? Buffer.alloc(0)
}
