import { expect, test } from 'vitest'
import { bundleEmbed, bundleInline, EMBED_BUDGET, gzipSize } from './build-embed.ts'

test('the script for merchants is within its budget and contains no schema library', async () => {
  const content = await bundleEmbed()
  expect(gzipSize(content)).toBeLessThanOrEqual(EMBED_BUDGET)
  expect(new TextDecoder().decode(content)).not.toMatch(/import|require\(|zod/)
})

test('each inline script is small, imports nothing and does not close its script element', async () => {
  const scripts = await bundleInline()
  expect(Object.keys(scripts).length).toBeGreaterThan(0)
  for (const text of Object.values(scripts)) {
    expect(text).not.toMatch(/\bimport\b|\bexport\b|zod|<\/script|<!--/i)
    expect(text).toContain('ARGS')
    expect(gzipSize(new TextEncoder().encode(text))).toBeLessThan(2350)
  }
})
