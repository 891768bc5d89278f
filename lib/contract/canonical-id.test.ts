import { expect, test } from 'vitest'
import { canonicalId } from './canonical-id.ts'

const LOWER = 'abcdef12-3456-4789-8abc-def012345678'
const UPPER = LOWER.toUpperCase()

test.each([
  [LOWER, LOWER],
  [UPPER, LOWER],
  [`M:${UPPER}`, `M:${LOWER}`],
  [`${UPPER}:${UPPER}`, `${LOWER}:${LOWER}`],
  ['USDT-Tron', 'USDT-Tron'],
  [UPPER.replaceAll('-', ''), UPPER.replaceAll('-', '')],
  [`{${UPPER}}`, `{${UPPER}}`],
  [`${UPPER}A`, `${UPPER}A`],
  [`${UPPER}\n`, `${UPPER}\n`],
  ['', ''],
])('%j is stored as %j', (given, stored) => {
  expect(canonicalId(given)).toBe(stored)
})
