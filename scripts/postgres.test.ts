import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, inject, test, vi } from 'vitest'

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  // The server may stop while the connection closes.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}

test('the test run has its own PostgreSQL', async () => {
  expect(await ask(inject('postgresUrl'), 'select 1 + 1 as two')).toEqual([{ two: 2 }])
})

test('it ends when the process that started it is killed', async () => {
  const postgresModule = fileURLToPath(new URL('postgres.ts', import.meta.url))
  const script = `import { startPostgres } from ${JSON.stringify(postgresModule)}; console.log((await startPostgres()).url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = line.trim()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])

  child.kill('SIGKILL')

  await vi.waitFor(() => expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/))
})
