import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the cashier has read the lists of new users, so that this work is not measured. */
export async function untilReconciled(url: string): Promise<void> {
  const waiting = async (): Promise<number> => {
    const text = await (await fetch(`${url}/api/metrics`)).text()
    const counts = text.matchAll(/^cashier_reconciliation_waiting\{[^}]*\} (\d+)/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  while ((await waiting()) > 0) await sleep(500)
  await sleep(1000)
}
