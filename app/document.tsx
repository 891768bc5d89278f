import type { ReactNode } from 'react'
import type { Locale, Theme } from '#lib/contract/cashier.ts'
import { themeCss } from '#lib/contract/theme-tokens.ts'
import { directionOf } from '#lib/i18n/locale-facts.ts'
import './globals.css'
import { requestFacts } from './request-facts.ts'

/** What the merchant's script says of the theme is in the frame's name, which only the browser knows: read before the first paint. */
const WEAR_THEME =
  'try{var n=JSON.parse(name);if(n.cashier===1&&/^(light|dark|auto)$/.test(n.theme))document.documentElement.dataset.theme=n.theme}catch(e){}'

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
  const { nonce, framed } = await requestFacts()
  const css = themeCss(tokens)
  return (
    <html
      lang={locale}
      dir={directionOf(locale)}
      data-theme={theme}
      data-framed={framed || undefined}
      suppressHydrationWarning
    >
      <head>
        {css !== '' && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />}
        {framed && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: WEAR_THEME }} />}
      </head>
      <body>{children}</body>
    </html>
  )
}
