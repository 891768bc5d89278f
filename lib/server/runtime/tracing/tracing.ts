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
  /** `internal` by default. */
  readonly kind?: 'internal' | 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** W3C headers of the caller, whose trace the span continues. Without them the span belongs to the running span. */
  readonly caller?: TraceHeaders
}

/** `traceparent` and `tracestate` (https://www.w3.org/TR/trace-context/). */
export interface TraceHeaders {
  readonly traceparent?: string
  readonly tracestate?: string
}

export interface Tracing {
  /** False: nothing is recorded, and callers may skip work for it. */
  readonly on: boolean
  /** Runs `work` in a span that ends with it. Errors of `work` are thrown. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Headers for a call to a system that takes part in the trace. */
  headers(): TraceHeaders
  /** The trace's id for the log; null if no span runs. */
  traceId(): string | null
  /** Sends the remaining spans, for two seconds at most. */
  close(): Promise<void>
}

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined }

/** Used without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
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

/** The same function, with each call in a span. */
export const traced = <A extends readonly unknown[], T>(
  tracing: Tracing,
  name: string,
  work: (...args: A) => Promise<T>,
): ((...args: A) => Promise<T>) => (tracing.on ? (...args) => tracing.span(name, {}, () => work(...args)) : work)
