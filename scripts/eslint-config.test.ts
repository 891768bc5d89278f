import { join } from 'node:path'
import { ESLint, Linter } from 'eslint'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The rule `no-restricted-syntax` as it is set for a file. */
async function syntaxRuleOf(file: string): Promise<Linter.RuleEntry> {
  const config = (await new ESLint({ cwd: root }).calculateConfigForFile(join(root, file))) as Linter.Config
  const rule = config.rules?.['no-restricted-syntax']
  if (rule === undefined) throw new Error(`no-restricted-syntax is not set for ${file}`)
  return rule
}

const faultsOf = (code: string, rule: Linter.RuleEntry): readonly string[] =>
  new Linter().verify(code, [{ rules: { 'no-restricted-syntax': rule } }]).map(({ message }) => message.slice(0, 12))

const COMPARED = 'Two messages'
const ENVIRONMENT = 'Only lib/ser'

test.each([
  ['a.user_reference_id === b.user_reference_id', [COMPARED]],
  ['a.user_ref_id !== user', [COMPARED]],
  ['user !== b.user_reference_id', [COMPARED]],
  ['currency_id === row.currency_id', [COMPARED]],
  ['a?.currency_code === b.currency_code', [COMPARED]],
  ['a.network.toLowerCase() === b.network.toLowerCase()', [COMPARED]],
  ['network.toLowerCase() === other', [COMPARED]],
  ['a.tx_hash !== hash', [COMPARED]],
  ['a.to_address === b.from_address', [COMPARED]],
  ['canonical(a.x) === b.amount', [COMPARED]],
  ['a.from_amount === b.x || a.from_currency === b.x', [COMPARED, COMPARED]],
  ['process.env', [ENVIRONMENT]],
  ['a.amount === null || a.tx_hash !== undefined || a.network === "Tron"', []],
  ['typeof a.amount === "string"', []],
  ['rows.find(({ id }) => id === row.currency_id)', []],
  ['rows.find((row) => row.id === currency_id)', []],
  ['a.transaction_uuid === b.transaction_uuid && a.status === b.status', []],
  ['compareTexts(a.user_reference_id, b.user_reference_id) === "agree"', []],
])('in the modules that compare messages: %s', async (code, expected) => {
  expect(faultsOf(code, await syntaxRuleOf('lib/server/cashier/get-withdrawal.ts'))).toEqual(expected)
})

test('the one comparison may compare, and may not read the environment', async () => {
  const rule = await syntaxRuleOf('lib/server/ledger/compare.ts')
  expect(faultsOf('a.amount === b.amount', rule)).toEqual([])
  expect(faultsOf('process.env', rule)).toEqual([ENVIRONMENT])
})
