import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'

/** One language as the page takes it, for a switch without a reload. No secret, the same for everybody. */
export async function GET(_request: Request, { params }: { params: Promise<{ locale: string }> }): Promise<Response> {
  const { locale } = await params
  return Response.json(await loadCatalogue(matchLocale([locale])), {
    headers: { 'cache-control': 'public, max-age=300' },
  })
}
