/**
 * `npm run doctor`: tests the configuration and says how to fix each fault. Exit code 1 when there is a fault. `--
 * --backup PATH` also checks the last backup: PATH is a backup, or the folder with the backups.
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { environmentNames, noSettingsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { examine, type ExamineOptions } from '#lib/server/runtime/doctor/examine.ts'
import { findingText, note } from '#lib/server/runtime/doctor/finding.ts'
import { readVersion } from '#lib/server/runtime/version.ts'
import { usageText } from './program/help.ts'

/** One backup a day, plus two hours to make it. */
const USUAL_HOURS = '26'

function readArguments(): Pick<ExamineOptions, 'backup'> | null {
  try {
    const { values } = parseArgs({
      options: { backup: { type: 'string' }, 'backup-hours': { type: 'string', default: USUAL_HOURS } },
    })
    const maxHours = Number(values['backup-hours'])
    if (!(maxHours > 0)) return null
    return { backup: values.backup === undefined ? null : { path: values.backup, maxHours } }
  } catch {
    return null
  }
}

const given = readArguments()
if (given === null) {
  console.error(usageText('doctor'))
  process.exitCode = 2
} else {
  let faults = 0
  const read = readEnvironment()
  const names = environmentNames()
  const options = { version: readVersion(), clock: Date.now, newNonce: randomUUID, fetch, names, ...given }
  const missing = noSettingsText()
  if (missing !== null) console.log(findingText(note('configuration', missing)))
  for await (const finding of examine(read, options)) {
    console.log(findingText(finding))
    if (finding.level === 'fault') faults += 1
  }
  console.log(faults === 0 ? '\nNo faults found.' : `\n${faults} to fix.`)
  process.exitCode = faults === 0 ? 0 : 1
}
