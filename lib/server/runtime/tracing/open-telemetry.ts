/**
 * Traces by OpenTelemetry's own packages, which read the other `OTEL_…` variables themselves: endpoint, headers,
 * sampler, batches, limits, service name. Only OpenTelemetry's own error handler is set globally; it is called when
 * traces cannot be sent. No provider is registered and nothing is instrumented automatically: spans contain only what
 * is named here.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import { errorType, type Span, type TraceHeaders, type Tracing } from './tracing.ts'

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const
const CLOSE_MS = 2000
const WARN_EVERY_MS = 60_000

type Protocol = NonNullable<Config['tracing']>['protocol']

async function createExporter(protocol: Protocol): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** An unreachable receiver must not fill the log. */
function warnSometimes(log: Pick<Log, 'warn'>): (error: unknown) => void {
  let warnedMs = -Infinity
  return (error) => {
    if (performance.now() - warnedMs < WARN_EVERY_MS) return
    warnedMs = performance.now()
    const err = error instanceof Error ? error : new Error('no reason given')
    log.warn({ err }, 'traces could not be sent; the cashier continues without them')
  }
}

export async function createOpenTelemetry(
  { protocol }: { readonly protocol: Protocol },
  log: Pick<Log, 'warn'>,
): Promise<Tracing> {
  setGlobalErrorHandler(warnSometimes(log))
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'cashier' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(await createExporter(protocol))],
  })
  const tracer = provider.getTracer('cashier')
  const propagator = new W3CTraceContextPropagator()
  const contexts = new AsyncLocalStorageContextManager()

  const callersContext = (caller: TraceHeaders): Context =>
    propagator.extract(ROOT_CONTEXT, caller, defaultTextMapGetter)

  return {
    on: true,
    async span(name, { kind = 'internal', attributes = {}, caller }, work) {
      const parent = caller === undefined ? contexts.active() : callersContext(caller)
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent)
      const ours: Span = {
        set: (more) => void span.setAttributes(more),
        fail(type) {
          span.setAttribute('error.type', type)
          span.setStatus({ code: SpanStatusCode.ERROR })
        },
      }
      try {
        return await contexts.with(trace.setSpan(parent, span), () => work(ours))
      } catch (error) {
        ours.fail(errorType(error))
        throw error
      } finally {
        span.end()
      }
    },
    headers() {
      const headers: Record<string, string> = {}
      propagator.inject(contexts.active(), headers, defaultTextMapSetter)
      return headers
    },
    traceId: () => trace.getSpanContext(contexts.active())?.traceId ?? null,
    close: () => Promise.race([provider.shutdown().catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })]),
  }
}
