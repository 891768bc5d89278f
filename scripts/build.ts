/** Builds what `npm start` serves: the script for merchants' pages (into public/), then the Next pages. */
import { commitOf, writeCommit } from './build-commit.ts'
import { compressBuild } from './compress-build.ts'
import { runProgram } from './run-program.ts'

const steps = [
  () => runProgram(process.execPath, ['scripts/build-embed.ts']),
  () => runProgram('next', ['build'], { NEXT_TELEMETRY_DISABLED: '1', NEXT_TRACE: 'on' }),
  async () => ((await compressBuild('.next/static/')) > 0 ? 0 : 1),
  // Node calls its removal of types experimental.
  () => runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/write-copies.ts']),
]
for (const step of steps) {
  process.exitCode = await step()
  if (process.exitCode !== 0) break
}
if (process.exitCode === 0) writeCommit('.', commitOf('.'))
