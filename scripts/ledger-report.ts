import type { LedgerReport } from '#lib/server/store/commands/check-ledger.ts'

/** Prints the result of the ledger check, and returns the command's exit code. */
export function printLedger(report: LedgerReport): number {
  console.log(`${report.postings} postings, ${report.balances} balances`)
  for (const [reason, count] of Object.entries(report.allowedOverdrafts))
    console.log(`${count} balances below zero, which the rules allow: ${reason}`)
  for (const fault of report.faults) console.error(fault)
  console.log(report.ok ? 'The ledger is consistent.' : `The ledger is not consistent: ${report.faults.length} faults.`)
  return report.ok ? 0 : 1
}
