/** docs/reference/metrics.md: every metric of the cashier, from the registry that serves the metrics. */
import { createMetrics } from '#lib/server/runtime/metrics.ts'
import { code, paragraphs, markdownList, WRITTEN } from './markdown.ts'

const HEAD = `# Metrics

\`GET /api/metrics\` is Prometheus text. With \`METRICS_TOKEN\`, a call without that bearer token gets 401. Without \`METRICS_TOKEN\`, direct calls from the same machine get an answer; all others get 404. Scrape every instance directly, [as here](../../ops/prometheus/prometheus.yml).

Values from the database (quarantine, deliveries, withdrawals, reconciliation) are the same on all instances: use the maximum. Each instance has its own counters: use the sum. [The alarms](../../ops/prometheus/cashier.rules.yml) say what to do; [the dashboard](../../ops/grafana/cashier.json) is for Grafana. The endpoint also has Node's own metrics (\`process_*\`, \`nodejs_*\`).`

interface Registered {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames: readonly string[]
}

/** Every metric of the cashier, including those that only a running instance adds. */
function registered(): readonly Registered[] {
  const metrics = createMetrics({ version: '' })
  metrics.watchDeliveries(() => Promise.resolve({ pending: 0, dead: 0 }))
  metrics.watchQuarantine(() => Promise.resolve(new Map()))
  metrics.watchUnmatchedPayouts(() => Promise.resolve(0))
  metrics.watchReconciliation({
    waiting: () => Promise.resolve([]),
    unreadable: () => Promise.resolve(0),
    oldestWithdrawalS: () => Promise.resolve(0),
    gatewayClockS: () => null,
  })
  metrics.watchFreeSpace(() => 0)
  metrics.watchStreams(() => 0)
  const all = metrics.registry.getMetricsAsArray() as unknown as readonly Registered[]
  return all.filter(({ name }) => name.startsWith('cashier_'))
}

export function metricsPage(): string {
  const rows = registered().map(({ name, help, type, labelNames }) => {
    const labels = labelNames.length === 0 ? '' : `{${labelNames.join(',')}}`
    return [`${code(`${name}${labels}`)} (${type})`, help] as const
  })
  return paragraphs(WRITTEN, HEAD, markdownList(rows))
}
