import { expect, test } from 'vitest'
import { readDependencies } from './dependencies.ts'
import { askNpm, missingFrom, shippedOnly } from './sbom.ts'

const dependencies = readDependencies()

test('the SBOM names exactly the shipped packages', () => {
  const all = askNpm()
  const sbom = shippedOnly(all, dependencies)
  expect(missingFrom(sbom, dependencies)).toEqual([])
  expect(sbom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['pg', 'zod', 'pino', 'next']))
  expect(all.components.map(({ name }) => name)).toContain('vitest')
  expect(sbom.components.map(({ name }) => name)).not.toContain('vitest')
  const refs = new Set(sbom.components.map((one) => one['bom-ref']))
  for (const { dependsOn } of sbom.dependencies) expect(dependsOn.filter((ref) => !refs.has(ref))).toEqual([])
})

test('a missing package is named', () => {
  const sbom = shippedOnly(askNpm(), dependencies)
  const without = { ...sbom, components: sbom.components.filter(({ name }) => name !== 'pg') }
  expect(missingFrom(without, dependencies)).toEqual([expect.stringMatching(/^pg@\d/)])
})
