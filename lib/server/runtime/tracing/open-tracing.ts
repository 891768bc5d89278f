import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import { NO_TRACING, type Tracing } from './tracing.ts'

/** Loads OpenTelemetry only if an endpoint is set. */
export async function openTracing({ tracing }: Pick<Config, 'tracing'>, log: Pick<Log, 'warn'>): Promise<Tracing> {
  if (tracing === null) return NO_TRACING
  const { createOpenTelemetry } = await import('./open-telemetry.ts')
  return createOpenTelemetry(tracing, log)
}
