import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-stop-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const LAUNCH = pathToFileURL(join(import.meta.dirname, 'launch.mjs')).href
const ENTRY = `import { launch } from '${LAUNCH}'
await launch(import.meta.url, new URL('program.mjs', import.meta.url).href)`
/** It ends by itself, so that a failed test leaves nothing behind. */
const PROGRAM = `process.once('SIGTERM', () => { console.log('stopped'); process.exit() })
setTimeout(() => { console.log('went on'); process.exit() }, 20_000)
console.log('runs')`

test.each(['npx', 'demo'])(
  'a program that %s runs stops when the shell has ended, which passes no signal on',
  async (event) => {
    writeFileSync(join(folder, 'entry.mjs'), ENTRY)
    writeFileSync(join(folder, 'program.mjs'), PROGRAM)
    const env = { ...process.env, npm_lifecycle_event: event }
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${join(folder, 'entry.mjs')}"; true`], { env })
    let said = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said === 'runs\n') shell.kill('SIGTERM')
    })
    await once(shell, 'close')
    expect(said).toBe('runs\nstopped\n')
  },
)
