import type { ReactNode } from 'react'
import type { Locale, Theme } from '#lib/contract/cashier.ts'
import { themeCss } from '#lib/contract/theme-tokens.ts'
import { directionOf } from '#lib/i18n/locale-facts.ts'
import './globals.css'
import { requestFacts } from './request-facts.ts'

/**
 * What only the browser knows, read before the first paint: that this is a frame (a later fetch of the page does not
 * say so), and in the frame's name the theme that the merchant's script asks for.
 */
const WEAR_LOOKS =
  'if(parent!==window){var d=document.documentElement.dataset;d.framed="";try{var n=JSON.parse(name);if(n.cashier===1&&/^(light|dark|auto)$/.test(n.theme))d.theme=n.theme}catch(e){}}'

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
  const { nonce } = await requestFacts()
  const css = themeCss(tokens)
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <head>
        {css !== '' && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: WEAR_LOOKS }} />
      </head>
      <body>{children}</body>
    </html>
  )
}
