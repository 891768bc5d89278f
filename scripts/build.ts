/** Builds what `npm start` serves: the script for merchants' pages (into public/), then the Next pages. */
import { runProgram } from './run-program.ts'

const script = await runProgram(process.execPath, ['scripts/build-embed.ts'])
process.exitCode = script === 0 ? await runProgram('next', ['build'], { NEXT_TELEMETRY_DISABLED: '1' }) : script
