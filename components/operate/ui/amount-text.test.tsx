import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { loadConsoleCatalogue } from '#lib/i18n/console-catalogue.ts'
import { ConsoleTextProvider } from '../context/texts.tsx'
import { AmountText } from './amount-text.tsx'

/** The last character turns what follows it, up to the end of an isolation. */
const TURNING = 'T\u202e'

test('the name of a network turns nothing outside an amount', () => {
  const markup = renderToStaticMarkup(
    <ConsoleTextProvider texts={loadConsoleCatalogue()}>
      <AmountText amount="-1234.5" code="USDT" network={TURNING} />
      {' of 100'}
    </ConsoleTextProvider>,
  )
  expect(markup).toMatch(
    /^<bdi dir="ltr"[^>]*>\u22121,234\.5<span[^>]*> USDT<\/span><span[^>]*> T\u202e<\/span><\/bdi> of 100$/,
  )
})
