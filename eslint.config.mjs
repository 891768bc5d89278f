import next from 'eslint-config-next/core-web-vitals'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Rules that differ from the presets; a looser one has a comment with the reason. */
const ownRules = {
  // `== null` covers null and undefined.
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  // Icons come from the gateway's hosts, and the optimizer's route is shut (next.config.mjs).
  '@next/next/no-img-element': 'off',
  'no-console': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // A number in a message needs no conversion.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  // `() => stop()` as a listener is clearer than a block with one call.
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  // An implementation of an asynchronous interface stays `async` without `await`, so that an error becomes a rejection.
  '@typescript-eslint/require-await': 'off',
  // The compiler forbids enums of our own (`erasableSyntaxOnly`), and this rule takes a quarter of the time.
  '@typescript-eslint/no-unsafe-enum-assignment': 'off',
  // Classes are few here, and this rule takes a tenth of the time.
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
  // Environment variables have an index signature: the compiler requires brackets there, and this rule forbids them.
  '@typescript-eslint/dot-notation': 'off',
  // A parameter that only fills its position begins with `_`.
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
}

const envMessage = 'Only lib/server/runtime reads the environment; take what you need as an argument.'

const readsEnvironment = {
  selector: 'MemberExpression[object.name="process"]:matches([property.name="env"], [property.value="env"])',
  message: envMessage,
}

/** What two messages may spell differently: each of these is compared by lib/server/ledger/compare.ts alone. */
const STATED =
  '/^(user_reference_id|user_ref_id|currency_id|currency_code|network|tx_hash|to_address|from_address|amount|from_amount|from_currency)$/'
/** Where a side of a comparison may have such a name: `amount`, `a.amount`, `a?.amount`, `a.amount.trim()`. */
const NAMES = ['name', 'property.name', 'expression.property.name', 'callee.object.name', 'callee.object.property.name']
const SIDES = ['left', 'right']
const isStated = SIDES.flatMap((side) => NAMES.map((name) => `[${side}.${name}=${STATED}]`)).join(', ')
/** A comparison with a constant asks what one message says, and a search by `id` is no comparison of messages. */
const isOther = SIDES.flatMap((side) => [
  `[${side}.type=/^(Literal|TemplateLiteral|UnaryExpression)$/]`,
  `[${side}.name=/^(undefined|id)$/]`,
  `[${side}.property.name="id"]`,
]).join(', ')
const comparesMessages = {
  selector: `BinaryExpression[operator=/^[!=]==$/]:matches(${isStated}):not(${isOther})`,
  message: 'Two messages may spell it differently, or one may lack it: use lib/server/ledger/compare.ts.',
}

export default defineConfig(
  globalIgnores([
    '.next/',
    '.demo/',
    '.cache/',
    'public/',
    'next-env.d.ts',
    'coverage/',
    'test-results/',
    'pictures/',
    'packages/*/dist/',
  ]),
  // Exceptions are made here, with a reason, not by comments in the code.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  // React's rules compile each file, which takes a quarter of the time: only where there are components and hooks.
  { files: ['{app,components}/**/*.{ts,tsx}', '**/*.tsx'], extends: [next] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: ownRules,
  },
  {
    files: ['app/**', 'components/**', 'lib/**', 'server.ts'],
    ignores: ['lib/server/runtime/**', '**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', readsEnvironment],
      'no-restricted-imports': [
        'error',
        { paths: ['process', 'node:process'].map((name) => ({ name, importNames: ['env'], message: envMessage })) },
      ],
    },
  },
  {
    files: ['lib/server/{ledger,webhooks,reconcile,merchant,cashier}/**'],
    ignores: ['**/*.test.ts', '**/testing/**', 'lib/server/ledger/compare.ts'],
    rules: { 'no-restricted-syntax': ['error', readsEnvironment, comparesMessages] },
  },
  {
    files: ['components/**', 'app/**'],
    ignores: ['components/ui/focus.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { property: 'focus', message: "It may scroll the merchant's page: use components/ui/focus.ts." },
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      // `expect(mock.method)` reads a method without calling it, which is what the rule looks for.
      '@typescript-eslint/unbound-method': 'off',
      // If the value is missing, the test fails, as it should.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // Icons come from the gateway's hosts, and Next's image route is disabled (next.config.mjs).
  { rules: { '@next/next/no-img-element': 'off' } },
  {
    files: ['lib/browser/copy-text.ts', 'lib/embed/frame/write-page.ts'],
    // Deprecated, but the only ways: to copy where a frame is denied the Clipboard API, and to parse a page as it comes.
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: [
      'lib/server/**',
      'e2e/**',
      'examples/**',
      'packages/embed/src/vue.ts',
      'packages/server/**',
      'sandbox/**',
      'scripts/**',
      'bench/**',
      'simulation/**',
      'server.ts',
    ],
    // No React here: a function that begins with `use` is a use case, or Playwright's `use`.
    rules: { 'react-hooks/rules-of-hooks': 'off' },
  },
  {
    files: ['e2e/**'],
    // Playwright requires a destructuring pattern as a fixture's first parameter, even an empty one.
    rules: { 'no-empty-pattern': 'off' },
  },
  {
    files: ['e2e/**', 'examples/**', 'sandbox/**', 'scripts/**', 'bench/**', 'simulation/**'],
    // Programs that are started in a terminal print to it.
    rules: { 'no-console': 'off' },
  },
)
