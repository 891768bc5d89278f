/** Runs a `test` for each language and appearance, with fixtures that take pictures. */
import type { FrameLocator, Page } from 'playwright/test'
import type { CashierLocale } from '../../packages/testing/src/texts.ts'
import { test, type TestFixtures } from '../fixtures/test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { Cashier } from '../views/cashier.ts'

const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar'] as const

export interface Appearance {
  readonly theme: 'light' | 'dark'
  readonly width: number
  /** The font size of the root element, as users set it in the browser. */
  readonly textSize: '100%' | '200%'
}

const APPEARANCES: readonly Appearance[] = [
  ...[320, 390].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      (['100%', '200%'] as const).map((textSize) => ({ theme, width, textSize })),
    ),
  ),
  { theme: 'light', width: 768, textSize: '100%' },
]

/** Width of the screen, in CSS pixels. */
const HEIGHT = 700

const nameOf = ({ width, theme, textSize }: Appearance): string =>
  `${width}-${theme}${textSize === '200%' ? '-large-text' : ''}`

/** The CSP allows constructed style sheets. */
const setTextSize = (page: Page, size: string): Promise<unknown> =>
  page.addInitScript((fontSize) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`html { font-size: ${fontSize} }`)
    document.adoptedStyleSheets = [sheet]
  }, size)

/** Below the frame, in CSS pixels: a frame of exactly the screen's height once came out blank. */
const MARGIN = 10

/** Resolves when the last changes are on the screen. */
const twoFrames = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
    // A frame that is folded or off the screen is not painted.
    setTimeout(resolve, 2000)
  })

export interface PictureArgs extends Pick<TestFixtures, 'user' | 'openCashier' | 'createSession' | 'consoleFaults'> {
  /** The scrolled merchant's page, or a page at top level. */
  readonly page: Page
  /** The cashier in the merchant's page. */
  readonly embedded: FrameLocator
  readonly stack: Stack
  readonly locale: CashierLocale
  readonly theme: Appearance['theme']
  /** The page object of the cashier in the merchant's page, in the language. */
  readonly cashier: Cashier
  /** Takes a picture of the whole cashier, of the screen if a dialog is open, or of the whole page at top level. */
  readonly take: (screen: string) => Promise<void>
}

/** @param about the name of the group of screens */
export function pictures(about: string, work: (args: PictureArgs) => Promise<void>): void {
  for (const { locale, appearance } of LOCALES.flatMap((locale) =>
    APPEARANCES.map((appearance) => ({ locale, appearance })),
  ))
    test.describe(() => {
      const { theme, width, textSize } = appearance
      test.use({ locale, colorScheme: theme, viewport: { width, height: HEIGHT } })

      test(`pictures: ${locale} ${nameOf(appearance)} ${about}`, async ({
        page,
        embedded,
        stack,
        user,
        openCashier,
        createSession,
        consoleFaults,
      }) => {
        test.slow()
        await setTextSize(page, textSize)
        const take = async (screen: string): Promise<void> => {
          const path = `pictures/${locale}/${nameOf(appearance)}/${screen}.png`
          const frame = page.locator('#cashier iframe')
          const isEmbedded = (await frame.count()) > 0
          const isCovered = isEmbedded && (await embedded.getByRole('dialog').count()) > 0
          // The browser takes only the part of a frame that is on the screen: the rest of a taller frame would be
          // blank.
          if (isEmbedded && !isCovered) {
            const height = await frame.evaluate((element) => element.getBoundingClientRect().height)
            await page.setViewportSize({ width, height: Math.max(HEIGHT, Math.ceil(height) + MARGIN) })
            await frame.evaluate((element) => {
              element.scrollIntoView()
            })
          }
          // A separate process paints a frame of another site.
          for (const one of page.frames()) await one.evaluate(twoFrames)
          if (isEmbedded && !isCovered) await frame.screenshot({ path, animations: 'disabled' })
          else await page.screenshot({ path, fullPage: !isEmbedded, animations: 'disabled' })
          await page.setViewportSize({ width, height: HEIGHT })
        }
        const cashier = new Cashier(embedded, { locale })
        await work({
          page,
          embedded,
          stack,
          user,
          openCashier,
          createSession,
          consoleFaults,
          locale,
          theme,
          cashier,
          take,
        })
        // Refused calls belong to the pictures, so their console errors are ignored.
        consoleFaults.length = 0
      })
    })
}
