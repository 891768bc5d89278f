import { createHash } from 'node:crypto'
import { embedPage } from './embed-page.ts'
import type { StaticPages } from '../app.ts'
import { documentPolicy, type PublicSettings } from '../http/response-headers.ts'
import { TextAnswer } from '../http/answer.ts'
import { launchFailurePage, launchForm } from './launch-pages.ts'
import { noSessionPages } from './no-session-pages.ts'
import type { StatePageFacts } from './state-page.ts'

/** The pages without a framework, for this installation. */
export function staticPages(facts: StatePageFacts): StaticPages {
  return {
    ...noSessionPages(facts),
    embed: embedAnswer(facts),
    launchForm: (locale, token, appearance) => launchForm(facts, locale, token, appearance),
    launchFailure: launchFailurePage(facts),
  }
}

/** The answer to `/embed`: the page, or 304 if the browser's copy is current. */
function embedAnswer(facts: PublicSettings): StaticPages['embed'] {
  const { html, scriptHash, styleHash } = embedPage(facts)
  const policy = documentPolicy(facts, {
    scripts: [scriptHash],
    styles: [styleHash],
    posts: 'fetch',
  })
  // The tag covers the policy too: a new policy must reach browsers that have the page.
  const etag = `W/"${createHash('sha256').update(html).update(policy).digest('base64url').slice(0, 22)}"`
  const headers = { 'cache-control': 'public, max-age=300', etag, 'content-security-policy': policy }
  return (ifNoneMatch) =>
    (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === etag)
      ? new TextAnswer('', { status: 304, headers })
      : new TextAnswer(html, { status: 200, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } })
}
