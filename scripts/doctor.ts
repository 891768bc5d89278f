/** `npm run doctor`: checks the configuration for real and says how to mend each fault. Exit code 1 where there is one. */
import { randomUUID } from 'node:crypto'
import { readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { examine } from '#lib/server/runtime/doctor/examine.ts'
import { findingText } from '#lib/server/runtime/doctor/finding.ts'

let faults = 0
for await (const finding of examine(readEnvironment(), { clock: Date.now, newNonce: randomUUID, fetch })) {
  console.log(findingText(finding))
  if (finding.verdict === 'fault') faults += 1
}
console.log(faults === 0 ? '\nNothing is broken.' : `\n${faults} to mend.`)
process.exitCode = faults === 0 ? 0 : 1
