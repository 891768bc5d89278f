import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('SIGTERM ends the program first, then its caller', async () => {
  const program =
    'process.on("SIGTERM", () => { console.log("ended"); process.exit() }); console.log("runs"); setInterval(() => {}, 1000)'
  const caller = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runProgram } from ${JSON.stringify(import.meta.resolve('./run-program.ts'))}
       await runProgram(process.execPath, ['--eval', ${JSON.stringify(program)}])
       console.log('goes on')
       setInterval(() => {}, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  caller.stdout.on('data', (chunk: Buffer) => {
    if (output === '') caller.kill('SIGTERM')
    output += chunk.toString()
  })
  const [, signal] = (await once(caller, 'exit')) as [number | null, string | null]
  expect(output).toBe('runs\nended\n')
  expect(signal).toBe('SIGTERM')
})
