import { expect, test } from 'vitest'
import { accepts } from './accepts.ts'

test.each([
  ['gzip', true],
  ['br, GZIP', true],
  ['br , gzip ; q=0.5', true],
  ['gzip;q=0.01', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['x-gzip', false],
  ['gzipped', false],
  ['br', false],
  ['', false],
  [undefined, false],
])('with `Accept-Encoding: %s`, gzip is accepted: %s', (header, accepted) => {
  expect(accepts(header, 'gzip')).toBe(accepted)
})
