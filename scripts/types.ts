/** Type-checks the whole project. Next first generates the types of the routes, which a fresh clone does not have. */
import { runProgram } from './run-program.ts'

const generated = await runProgram('next', ['typegen'], { NEXT_TELEMETRY_DISABLED: '1' })
process.exitCode = generated === 0 ? await runProgram('tsc', ['--noEmit']) : generated
