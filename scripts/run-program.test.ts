import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

test.each([
  ['SIGTERM', {}],
  // Ctrl-C does not reach a session of its own.
  ['SIGINT', { priority: 0 }],
] as const)('%s ends the program first, then its caller: %j', async (name, options) => {
  const program = `process.on("${name}", () => { console.log("ended"); process.exit() }); console.log("runs"); setInterval(() => {}, 1000)`
  const caller = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runProgram } from ${JSON.stringify(import.meta.resolve('./run-program.ts'))}
       await runProgram(process.execPath, ['--eval', ${JSON.stringify(program)}], {}, ${JSON.stringify(options)})
       console.log('goes on')
       setInterval(() => {}, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  caller.stdout.on('data', (chunk: Buffer) => {
    if (output === '') caller.kill(name)
    output += chunk.toString()
  })
  const [, signal] = (await once(caller, 'exit')) as [number | null, string | null]
  expect(output).toBe('runs\nended\n')
  expect(signal).toBe(name)
})

test('a program of a low priority passes it on to its children', async () => {
  const printed = join(mkdtempSync(join(tmpdir(), 'priority-')), 'printed')
  const output = openSync(printed, 'w')
  const child = 'console.log(os.getPriority())'
  const program = `console.log(os.getPriority()); child_process.spawnSync(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: 'inherit' })`
  expect(
    await runProgram(
      process.execPath,
      ['--eval', `setTimeout(() => { ${program} }, 200)`],
      {},
      { output, priority: 19 },
    ),
  ).toBe(0)
  closeSync(output)
  expect(readFileSync(printed, 'utf8')).toBe('19\n19\n')
})
