import type { Locale } from '#lib/contract/cashier.ts'
import type { EmbedErrorCode } from '#lib/contract/embed.ts'
import { PROBLEM_STATUS, type Problem, type ProblemCode } from '#lib/contract/problems.ts'
import { inlineScript } from '#lib/embed/inline-script.ts'
import { hostReport } from '#lib/embed/report-to-host.ts'
import type { PublicFacts } from '../http/response-headers.ts'
import { LAUNCH_TEXTS, type LaunchTexts } from './launch-texts.ts'
import { documentResponse, escapeHtml } from './small-document.ts'

/** Sent to the browser by its own source text. A page that is only prepared for a click must not burn the token. */
function postForm(): void {
  const post = (): void => document.forms[0]?.submit()
  const page = document as Document & { readonly prerendering?: boolean }
  if (page.prerendering === true) document.addEventListener('prerenderingchange', post, { once: true })
  else post()
}
const POST_FORM = inlineScript(postForm)

/** `GET /launch`: posts the token as a form from our own origin; by a button where scripts are off. */
export function launchForm(facts: PublicFacts, locale: Locale, token: string): Response {
  const texts = LAUNCH_TEXTS[locale]
  const main = `<p>${texts.opening}</p>
<form method="post" action="/launch">
<input type="hidden" name="launch_token" value="${escapeHtml(token)}">
<button>${texts.continue}</button>
</form>`
  return documentResponse(facts, 200, { locale, title: texts.opening, main, script: POST_FORM })
}

/** What a launch that failed says to the user, and to the script on the merchant's page. */
interface Failure {
  readonly text: keyof LaunchTexts
  readonly code: EmbedErrorCode
}

const FAILURES: Readonly<Partial<Record<ProblemCode, Failure>>> = {
  session_ended: { text: 'spent', code: 'token_used' },
  unauthenticated: { text: 'foreign', code: 'token_failed' },
  forbidden_origin: { text: 'origin', code: 'failed' },
  rate_limited: { text: 'busy', code: 'failed' },
}
const BROKEN: Failure = { text: 'broken', code: 'failed' }

/** A launch that failed, as a page in the user's language. */
export function launchFailure(facts: PublicFacts, locale: Locale, problem: Problem, requestId: string): Response {
  const { text, code } = FAILURES[problem.code] ?? BROKEN
  const texts = LAUNCH_TEXTS[locale]
  const script = hostReport(facts.embedOrigins, { type: 'error', code, message: LAUNCH_TEXTS.en[text] })
  const main = `<h1>${texts[text]}</h1>
<p>${texts.again}</p>
<p><small dir="ltr">${escapeHtml(requestId)}</small></p>`
  const response = documentResponse(facts, PROBLEM_STATUS[problem.code], { locale, title: texts[text], main, script })
  const { retryAfterS } = problem.extras
  if (retryAfterS !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterS)))
  return response
}
