import { historyHeader, historyLine } from '#lib/browser/history-lines.ts'
import { csvLine } from '#lib/contract/csv.ts'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator, type Translator } from '#lib/i18n/translator.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'
import { fileLocale } from '#lib/server/runtime/http/accept-language.ts'
import { readHistoryFileQuery } from '#lib/server/runtime/http/transactions-query.ts'

/** The header comes with the first rows: a client that has gone before them must end `steps`, which count until then. */
async function* linesOf(
  steps: AsyncIterable<readonly TransactionNode[]>,
  { text }: Translator,
  showsValues: boolean,
): AsyncIterable<string> {
  let header = csvLine(historyHeader(text, showsValues))
  for await (const nodes of steps) {
    yield header + nodes.map((node) => csvLine(historyLine(node, text, showsValues))).join('')
    header = ''
  }
  if (header !== '') yield header
}

/** The whole history as a file, in the language of the page. */
export const GET = handler('cashier.history', async ({ app, request, requestId, url }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const { locale, ...query } = readHistoryFileQuery(url.searchParams)
  const translator = createTranslator(await loadCatalogue(fileLocale(locale, session.locale, request.headers)))
  const steps = await app.useCases.historyFile(session, query)
  return csvAnswer({
    name: 'transactions.csv',
    lines: linesOf(steps, translator, app.pages.settings.values),
    onError: (error) => void app.problemOf(error, requestId, 'cashier.history'),
  })
})
