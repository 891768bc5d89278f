/** The export of traces without a server: protocol, sampler, and the record of an error in a span. */
import { afterEach, expect, test, vi } from 'vitest'
import { startTraceReceiver } from '../fixtures/trace-receiver.ts'
import { createOpenTelemetry } from '#lib/server/runtime/tracing/open-telemetry.ts'

afterEach(() => vi.unstubAllEnvs())
const log = { warn: () => undefined }

test('protobuf by default; a span has the code of an error and never its message', async () => {
  const receiver = await startTraceReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
  const tracing = await createOpenTelemetry({ protocol: 'http/protobuf' }, log)
  const fault = Object.assign(new Error('a sentence about mira'), { code: 'E_EXAMPLE' })
  await expect(tracing.span('outer', {}, () => tracing.span('inner', {}, () => Promise.reject(fault)))).rejects.toBe(
    fault,
  )
  await tracing.close()
  await receiver.close()
  expect(receiver.requests[0]?.headers['content-type']).toBe('application/x-protobuf')
  const sent = receiver.requests.map(({ body }) => body).join('')
  for (const text of ['outer', 'inner', 'E_EXAMPLE', 'cashier']) expect(sent).toContain(text)
  expect(sent).not.toContain('mira')
})

test('OTEL_TRACES_SAMPLER decides what is recorded', async () => {
  const receiver = await startTraceReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_off')
  const tracing = await createOpenTelemetry({ protocol: 'http/json' }, log)
  expect(await tracing.span('left out', {}, () => Promise.resolve(tracing.headers().traceparent))).toMatch(/-00$/)
  await tracing.close()
  await receiver.close()
  expect(receiver.requests).toEqual([])
})
