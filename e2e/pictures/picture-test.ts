/** `test` once for each language and appearance, and how it takes its pictures. */
import type { Page } from 'playwright/test'
import type { CashierLocale } from '../../packages/testing/src/texts.ts'
import { test, type TestFixtures } from '../fixtures/test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { Cashier } from '../views/cashier.ts'

const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar'] as const

export interface Appearance {
  readonly theme: 'light' | 'dark'
  readonly width: number
  /** Of the root element, as a reader sets it in the browser. */
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

/** Of the screen, in CSS pixels. */
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

/** Resolves once what has changed is on the screen. */
const twoFrames = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })

export interface PictureArgs extends Pick<TestFixtures, 'user' | 'openCashier' | 'createSession' | 'consoleFaults'> {
  readonly page: Page
  readonly stack: Stack
  readonly locale: CashierLocale
  readonly theme: Appearance['theme']
  /** The page object of `page`, in the language. */
  readonly cashier: Cashier
  /** Takes a picture of the whole page. */
  readonly take: (screen: string) => Promise<void>
}

/** @param about which screens */
export function pictures(about: string, work: (args: PictureArgs) => Promise<void>): void {
  for (const { locale, appearance } of LOCALES.flatMap((locale) =>
    APPEARANCES.map((appearance) => ({ locale, appearance })),
  ))
    test.describe(() => {
      const { theme, width, textSize } = appearance
      test.use({ locale, colorScheme: theme, viewport: { width, height: HEIGHT } })

      test(`pictures: ${locale} ${nameOf(appearance)} ${about}`, async ({
        page,
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
          // Of a frame, the browser takes what was on the screen: one that is taller comes out blank.
          if (page.frames().length > 1) {
            const height = await page.evaluate(() => document.documentElement.scrollHeight)
            await page.setViewportSize({ width, height: Math.max(HEIGHT, height) })
          }
          // A frame of another site is painted by a process of its own.
          for (const frame of page.frames()) await frame.evaluate(twoFrames)
          await page.screenshot({ path, fullPage: true, animations: 'disabled' })
          await page.setViewportSize({ width, height: HEIGHT })
        }
        const cashier = new Cashier(page, { locale })
        await work({ page, stack, user, openCashier, createSession, consoleFaults, locale, theme, cashier, take })
        // What a refused call logs is part of the picture.
        consoleFaults.length = 0
      })
    })
}
