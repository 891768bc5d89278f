/** Page object of the sandbox's payment page, in the cashier's frame or in a tab of its own. It is in English. */
import type { FrameLocator, Locator, Page } from 'playwright'

/** How the user proves the identity: with the camera, without a camera (missing or not allowed), or with a document. */
export type IdentityCheck = 'picture' | 'none' | 'document'

export class SandboxWidget {
  readonly root: FrameLocator | Page

  /** @param root `cashier.buy.provider()`, or the tab with the payment page */
  constructor(root: FrameLocator | Page) {
    this.root = root
  }

  /** Presses a button: `Pay €80.00`, `Let the payment fail`, `Leave without paying`, `Return to the merchant`. */
  press(name: string | RegExp): Promise<void> {
    return this.root.getByRole('button', { name }).click()
  }

  heading(name: string): Locator {
    return this.root.getByRole('heading', { name })
  }

  /** Goes from the first step to the payment. */
  async identify(check: IdentityCheck): Promise<void> {
    await this.press('Continue')
    await this.heading('Check your identity').waitFor()
    if (check === 'document') await this.press('Use a document instead')
    else {
      await this.press('Turn on the camera')
      await this.press(check === 'picture' ? 'Take the picture' : 'Continue without a camera')
    }
    await this.heading('Pay by card').waitFor()
  }
}
