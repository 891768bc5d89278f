/**
 * Spans as the rest of the runtime sees them. Names and attributes come from bounded sets: never a query, an id, an
 * address, an amount or a token.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface Span {
  set(attributes: SpanAttributes): void
  /** @param type a code or a class of error, never its message */
  fail(type: string): void
}

export interface SpanOptions {
  /** `internal` where it is left out. */
  readonly kind?: 'internal' | 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** W3C headers of the caller, whose trace it continues. Without them it belongs to the span that runs. */
  readonly caller?: TraceHeaders
}

/** `traceparent` and `tracestate` (https://www.w3.org/TR/trace-context/). */
export interface TraceHeaders {
  readonly traceparent?: string
  readonly tracestate?: string
}

export interface Tracing {
  /** False: nothing is recorded, and whoever asks may leave work out. */
  readonly on: boolean
  /** A span that ends when `work` does. What `work` throws is thrown. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** For a call to somebody who takes part in the trace. */
  headers(): TraceHeaders
  /** For the log; null where no span runs. */
  traceId(): string | null
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined }

/** Without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export const NO_TRACING: Tracing = {
  on: false,
  span: (_name, _options, work) => work(NO_SPAN),
  headers: () => ({}),
  traceId: () => null,
  close: () => Promise.resolve(),
}

/** A code or a class of error, for `Span.fail`. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  const { cause } = error
  for (const one of [error, cause]) {
    if (one instanceof Error && 'code' in one && typeof one.code === 'string') return one.code
  }
  return error.name
}

/** The same function, each call of it in a span. */
export const traced = <A extends readonly unknown[], T>(
  tracing: Tracing,
  name: string,
  work: (...args: A) => Promise<T>,
): ((...args: A) => Promise<T>) => (tracing.on ? (...args) => tracing.span(name, {}, () => work(...args)) : work)
