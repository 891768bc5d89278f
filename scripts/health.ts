/** Exit code 0 while the cashier of this machine or container is ready; for a container's health check. */
const port = process.env['PORT']?.trim() || '3000'
const ready = await fetch(`http://127.0.0.1:${port}/api/health/ready`, { signal: AbortSignal.timeout(2500) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = ready ? 0 : 1

export {}
