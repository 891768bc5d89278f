import { embedPage } from '#lib/embed/embed-page.ts'
import type { Endpoints } from '../http/handler.ts'
import { documentPolicy, type PublicFacts } from '../http/response-headers.ts'

/** `GET /embed`: the same page for everybody, so that every cache may keep it. */
export function embed(facts: PublicFacts): Endpoints {
  const page = embedPage({ embedOrigins: facts.embedOrigins })
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-security-policy': documentPolicy(facts, { scripts: [page.scriptHash], styles: [page.styleHash] }),
  }
  const show = (): Promise<Response> => Promise.resolve(new Response(page.html, { headers }))
  return { GET: show, HEAD: show }
}
