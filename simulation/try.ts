import { installVirtualProcess } from './virtual-process.ts'
installVirtualProcess()
const { planOf } = await import('./plan.ts')
const { runWorld } = await import('./run-world.ts')
const [from = '1', runs = '1', tx] = process.argv.slice(2)
const started = performance.now()
let transactions = 0
const kinds = new Map<string, number>()
for (let seed = Number(from); seed < Number(from) + Number(runs); seed += 1) {
  const t = performance.now()
  const plan = planOf(String(seed), tx ? { transactions: Number(tx) } : {})
  const trace = process.env.TRACE ? (l: string) => console.log(l) : null
  const r = await runWorld({ plan, postgres: process.env.PG ?? null, onNote: trace })
  transactions += r.transactions
  if (process.env.VERBOSE || r.violations.length > 0)
    console.log(seed, r.transactions, 'tx', (performance.now() - t).toFixed(0), 'ms', JSON.stringify({ ...plan.settings }), r.faults.length, 'faults', r.violations.slice(0, 4))
  for (const v of r.violations) kinds.set(v.split(':')[0], (kinds.get(v.split(':')[0]) ?? 0) + 1)
}
const s = (performance.now() - started) / 1000
console.log(transactions, 'tx in', s.toFixed(1), 's', (transactions / s * 60).toFixed(0), '/min', kinds)
