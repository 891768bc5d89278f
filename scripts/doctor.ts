/** `npm run doctor`: tries the configuration and says how to fix each fault. Exit code 1 when there is one. */
import { randomUUID } from 'node:crypto'
import { readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { examine } from '#lib/server/runtime/doctor/examine.ts'
import { findingText } from '#lib/server/runtime/doctor/finding.ts'

let faults = 0
for await (const finding of examine(readEnvironment(), { clock: Date.now, newNonce: randomUUID, fetch })) {
  console.log(findingText(finding))
  if (finding.level === 'fault') faults += 1
}
console.log(faults === 0 ? '\nNo faults found.' : `\n${faults} to fix.`)
process.exitCode = faults === 0 ? 0 : 1
