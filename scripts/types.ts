/** Type-checks the whole project. Next generates the types of the routes first: a fresh clone does not have them. */
import { runProgram } from './run-program.ts'

const generated = await runProgram('next', ['typegen'], { NEXT_TELEMETRY_DISABLED: '1' })
process.exitCode = generated === 0 ? await runProgram('tsc', ['--noEmit']) : generated
