import { expect, test } from 'vitest'
import { bundleEmbed, EMBED_BUDGET, gzipSize } from './build-embed.ts'

test('the script for merchants is within its budget and contains no schema library', async () => {
  const content = await bundleEmbed()
  expect(gzipSize(content)).toBeLessThanOrEqual(EMBED_BUDGET)
  expect(new TextDecoder().decode(content)).not.toMatch(/import|require\(|zod/)
})
