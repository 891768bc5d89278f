/** The page object that is published as `crypto-cashier-testing`; the browser tests name flows as the English tabs do. */
import { Cashier as PublishedCashier, type CashierFlow } from '../../packages/testing/src/cashier.ts'
import { pressUntil } from './scrolled-host.ts'

export class Cashier extends PublishedCashier {
  override goTo(flow: CashierFlow | Capitalize<CashierFlow>): Promise<void> {
    return super.goTo(flow.toLowerCase() as CashierFlow)
  }

  /** From the review back to the form. While the frame's size changes, the page around it may get the press. */
  async backToForm(): Promise<void> {
    const back = this.root.getByRole('button', { name: 'Back' })
    await pressUntil(this.withdraw.form(), () => back.click({ timeout: 3000 }))
  }

  /**
   * From a purchase to the form. The test scrolls to the button and presses at once; on a busy machine the browser
   * still has the frame in its old place then, and the page around it gets the press.
   */
  async leavePurchase(): Promise<void> {
    const done = this.root.getByRole('button', { name: 'Done' })
    await pressUntil(this.buy.form(), () => done.click({ timeout: 3000 }))
  }
}
