/** Every route with random odd requests. `FUZZ_REQUESTS=20000 FUZZ_SEED=1 npx vitest run fuzz` sends more. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { loadRoutes } from './http/route-table.ts'
import { testConfig } from './testing/config.ts'
import { fuzzRequests, sendFuzz } from './testing/fuzz.ts'
import { newVisitor } from './testing/visitor.ts'
import { startWholeServer, type WholeServer } from './testing/whole-server.ts'
import { fuzzSettings } from './testing/fuzz-settings.ts'

const { requests, seed } = fuzzSettings()
const AT_ONCE = 8

describe.each(FLAVOURS)(`%s, seed ${seed}`, (flavour) => {
  let database: TestDatabase
  let server: WholeServer
  let routes: readonly string[]
  beforeAll(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    server = await startWholeServer(
      testConfig({ DATABASE_URL: database.url, RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '200' }),
    )
    const table = await loadRoutes(resolve(import.meta.dirname, '../../../app'))
    routes = [...table.routes.map(({ path }) => path), '/', '/c/[session]/deposit', '/onramp/return', '/embed.js']
  })
  afterAll(async () => {
    await server.stop()
    await database.remove()
  })

  test(
    `${requests} odd requests cause no fault of ours, and every answer has its headers`,
    { timeout: 180_000 + requests * 80 },
    async () => {
      const keys = {
        cookie: '',
        sessionId: '',
        merchantKey: server.config.merchantApiKeys[0],
        origin: server.config.publicUrl,
      }
      const renew = async (): Promise<void> => {
        const { cookie, id: sessionId } = await newVisitor(server)
        Object.assign(keys, { cookie, sessionId })
      }
      await renew()
      const series = fuzzRequests(routes, keys, seed)
      const faults: string[] = []
      const statuses = new Map<number, number>()
      let left = requests
      const work = async (): Promise<void> => {
        while (left > 0) {
          left -= 1
          // Some of them end the session.
          if (left % 200 === 0) await renew()
          const request = series.next().value
          const answer = await sendFuzz(server.url, request)
          if (answer === null) continue
          const { status, headers } = answer
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const bare = ['x-request-id', 'x-content-type-options', 'strict-transport-security'].filter(
            (name) => headers[name] === undefined,
          )
          // Invalid HTTP is answered before the headers of every response are known.
          const early = status === 400 || status === 431
          if (status === 500 || bare.includes('x-request-id') || (bare.length > 0 && !early))
            faults.push(
              `${status} ${request.method} ${request.path.slice(0, 200)} ${String(request.body?.subarray(0, 300))} lacks ${bare.join()}`,
            )
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      expect(faults).toEqual([])
      expect(server.lines.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([])
      expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200)
      // Some requests were accepted, and some were refused with each usual status.
      for (const status of [200, 401, 403, 404, 405, 415, 422])
        expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0])
    },
  )
})
