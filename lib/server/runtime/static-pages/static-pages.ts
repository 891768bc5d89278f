import { embedPage } from '#lib/embed/embed-page.ts'
import type { StaticPages } from '../app.ts'
import { documentPolicy, type PublicSettings } from '../http/response-headers.ts'
import { TextResponse } from '../http/text-response.ts'
import { launchFailure, launchForm } from './launch-pages.ts'

/** The pages without a framework, for this installation. */
export function staticPages(facts: PublicSettings): StaticPages {
  const embed = embedPage({ embedOrigins: facts.embedOrigins })
  const embedHeaders = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-security-policy': documentPolicy(facts, { scripts: [embed.scriptHash], styles: [embed.styleHash] }),
  }
  return {
    embed: () => new TextResponse(embed.html, { status: 200, headers: embedHeaders }),
    launchForm: (locale, token) => launchForm(facts, locale, token),
    launchFailure: (locale, problem, requestId) => launchFailure(facts, locale, problem, requestId),
  }
}
