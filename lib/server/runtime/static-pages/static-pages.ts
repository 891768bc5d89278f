import { createHash } from 'node:crypto'
import { apiPage } from './api-page/api-page.ts'
import { embedPage } from './embed-page.ts'
import type { StaticPages } from '../app.ts'
import type { Config } from '../config/config.ts'
import { documentPolicy, newNonce, pagePolicy, type PublicSettings } from '../http/response-headers.ts'
import { TextAnswer } from '../http/answer.ts'
import { firstScript } from './first-script.ts'
import { launchFailurePage, launchForm } from './launch-pages.ts'
import { noSessionPages } from './no-session-pages.ts'
import type { StatePageFacts } from './state-page.ts'

/** The pages without a framework, for this installation. */
export function staticPages(facts: StatePageFacts & Pick<Config, 'docs'>): StaticPages {
  const embed = embedPage({ ...facts, preload: firstScript() })
  return {
    ...noSessionPages(facts),
    embed: () => embedAnswer(facts, embed),
    apiPage: facts.docs ? apiPageAnswer(facts) : () => null,
    launchForm: (locale, token, appearance) => launchForm(facts, locale, token, appearance),
    launchFailure: launchFailurePage(facts),
  }
}

/**
 * With the policy of the session's page, which `/embed` writes into its own document. A browser keeps it for minutes; a
 * shared cache may not, since browsers must not share a nonce. It has no tag: a copy that is confirmed for ever would
 * keep its nonce for ever.
 */
function embedAnswer(facts: PublicSettings, html: (nonce: string) => string): TextAnswer {
  const nonce = newNonce()
  const policy = pagePolicy(facts, nonce, false)
  return new TextAnswer(html(nonce), {
    status: 200,
    headers: {
      'cache-control': 'private, max-age=300',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    },
  })
}

/** The page is made at its first request, since few processes are asked for it. */
function apiPageAnswer(facts: StatePageFacts): StaticPages['apiPage'] {
  let answer: ((ifNoneMatch: string | null) => TextAnswer) | undefined
  return (ifNoneMatch) => {
    if (answer === undefined) {
      const { html, scriptHash, styleHash } = apiPage(facts.publicUrl)
      const needs = { scripts: [scriptHash], styles: [styleHash], posts: 'fetch', framed: false } as const
      answer = cachedAnswer(html, documentPolicy(facts, needs))
    }
    return answer(ifNoneMatch)
  }
}

/** Answers with the page, or with 304 if the browser's copy is current. */
function cachedAnswer(html: string, policy: string): (ifNoneMatch: string | null) => TextAnswer {
  // The tag covers the policy too: a new policy must reach browsers that have the page.
  const etag = `W/"${createHash('sha256').update(html).update(policy).digest('base64url').slice(0, 22)}"`
  const headers = { 'cache-control': 'public, max-age=300', etag, 'content-security-policy': policy }
  const whole = new TextAnswer(html, {
    status: 200,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  })
  const current = new TextAnswer('', { status: 304, headers })
  return (ifNoneMatch) => ((ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === etag) ? current : whole)
}
