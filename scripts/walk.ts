/**
 * Random walks through the cashier in a merchant's page (e2e/specs/walk.spec.ts): `npm run walk -- --seed 1 --times
 * 500`. To repeat walk N of a run, use `--seed N --times 1`. Other arguments are passed on to Playwright. Needs `npm
 * run build`.
 */
import { parseArgs } from 'node:util'
import { runProgram } from './run-program.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, times: { type: 'string', default: '12' } },
  allowPositionals: true,
})
for (const name of ['seed', 'times'] as const)
  if (!/^[1-9]\d{0,8}$/.test(values[name])) {
    console.error(`--${name} takes a whole number of at least 1`)
    process.exit(1)
  }

const args = ['run', '--silent', 'test:browser', '--', '--project=specs', '--workers=2', 'e2e/specs/walk.spec.ts']
process.exitCode = await runProgram('npm', [...args, ...positionals], {
  WALK_SEED: values.seed,
  WALK_TIMES: values.times,
})
