/** The page object that is published as `crypto-cashier-testing`; the browser tests name flows as the English tabs do. */
import { Cashier as PublishedCashier, type CashierFlow } from '../../packages/testing/src/cashier.ts'

export class Cashier extends PublishedCashier {
  override goTo(flow: CashierFlow | Capitalize<CashierFlow>): Promise<void> {
    return super.goTo(flow.toLowerCase() as CashierFlow)
  }
}
