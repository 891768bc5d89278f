import type { ReactNode } from 'react'
import type { Theme } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import { themeCss } from '#lib/contract/theme-tokens.ts'
import { directionOf } from '#lib/i18n/intl-locale.ts'
import PageStyle from '#page-style'
import { EARLY_PRESSES } from './early-presses.ts'
import HeadScript from './head-script.tsx'
import { MISSING_SCRIPTS } from './missing-scripts.ts'
import { OFF_SCREEN_FRAMES } from './off-screen-frames.ts'
import { requestContext } from './request-context.ts'

/**
 * Runs before the first paint and applies what only the browser knows: that the page is in a frame, and the theme that
 * the merchant's script put into the frame's name.
 */
const APPLY_APPEARANCE =
  'if(parent!==window){var d=document.documentElement.dataset;d.framed="";try{var n=JSON.parse(name);if(n.cashier===1&&/^(light|dark|auto)$/.test(n.theme))d.theme=n.theme}catch(e){}}'

/** Read by `head-script.tsx`, which Next bundles apart from this module. */
const SCRIPT = Symbol.for('cashier.head-script')
;(globalThis as { [SCRIPT]?: string })[SCRIPT] = APPLY_APPEARANCE + OFF_SCREEN_FRAMES + MISSING_SCRIPTS + EARLY_PRESSES

export async function Document({
  locale,
  theme,
  tokens = {},
  children,
}: {
  readonly locale: Locale
  readonly theme: Theme
  readonly tokens?: Readonly<Record<string, string>>
  readonly children: ReactNode
}) {
  const { nonce } = await requestContext()
  const css = themeCss(tokens)
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <head>
        <PageStyle nonce={nonce} />
        {css !== '' && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />}
        <HeadScript nonce={nonce} />
      </head>
      <body>{children}</body>
    </html>
  )
}
