import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, inject, test } from 'vitest'
import { FLAVOURS, newTestDatabase } from '../store/testing/test-databases.ts'
import { openReader } from './testing/test-stream.ts'

const EVENTS = 500
const program = fileURLToPath(new URL('testing/writing-server.ts', import.meta.url))
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function start(url: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [program, url, String(EVENTS)], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return { child, address: line.trim() }
}

test.each(FLAVOURS)('%s: 500 events arrive exactly once despite random cuts and killed servers', async (flavour) => {
  const database = await newTestDatabase(flavour, inject('postgresUrl'))
  let server = await start(database.url)
  const received: string[] = []
  let lastEventId = '0'
  let kills = 0
  let cuts = 0
  while (received.length < EVENTS) {
    const reader = await openReader(`${server.address}/u/s`, lastEventId)
    await sleep(Math.random() * 250)
    if (Math.random() < 0.3 && kills < 3) {
      kills += 1
      server.child.kill('SIGKILL')
      await reader.ended
      server = await start(database.url)
    } else {
      cuts += 1
      reader.cut()
      await reader.ended
    }
    received.push(...reader.events.map((event) => `${event.type} ${event.id} ${event.data}`))
    lastEventId = reader.lastEventId
  }
  server.child.kill('SIGKILL')
  await once(server.child, 'exit')
  await database.remove()

  const wanted = Array.from(
    { length: EVENTS },
    (_item, n) => `balance ${n + 1} {"currency_id":"c","available":"${n + 1}","held":"0"}`,
  )
  expect(received).toEqual(wanted)
  expect(kills + cuts).toBeGreaterThan(2)
})
