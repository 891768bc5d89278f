/** Builds what `npm start` serves: the merchant-page script into public/, then the pages. */
import { runProgram } from './run-program.ts'

const script = await runProgram(process.execPath, ['scripts/build-embed.ts'])
process.exitCode = script === 0 ? await runProgram('next', ['build'], { NEXT_TELEMETRY_DISABLED: '1' }) : script
