/** Page object of the sandbox's payment page, in the cashier's frame or in a tab of its own. */
import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test'

export class SandboxWidget {
  readonly root: FrameLocator | Page

  constructor(root: FrameLocator | Page) {
    this.root = root
  }

  press(name: string | RegExp): Promise<void> {
    return this.root.getByRole('button', { name }).click()
  }

  heading(name: string): Locator {
    return this.root.getByRole('heading', { name })
  }

  /** From the first step to the payment: a picture by the camera, or `none` where there is none or it is not allowed. */
  async identify(camera: 'picture' | 'none' | 'document'): Promise<void> {
    await this.press('Continue')
    await expect(this.heading('Check your identity')).toBeVisible()
    if (camera === 'document') await this.press('Use a document instead')
    else {
      await this.press('Turn on the camera')
      await this.press(camera === 'picture' ? 'Take the picture' : 'Continue without a camera')
    }
    await expect(this.heading('Pay by card')).toBeVisible()
  }
}
