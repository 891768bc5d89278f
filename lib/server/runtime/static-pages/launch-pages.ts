import type { Locale } from '#lib/contract/cashier.ts'
import type { EmbedErrorCode } from '#lib/contract/embed-protocol.ts'
import { PROBLEM_STATUS, type Problem, type ProblemCode } from '#lib/contract/problems.ts'
import { inlineScript } from '#lib/embed/inline-script.ts'
import { hostReport } from '#lib/embed/report-to-host.ts'
import type { LaunchAppearance } from '../../store/port.ts'
import type { PublicSettings } from '../http/response-headers.ts'
import { LAUNCH_MESSAGES, type LaunchMessages } from './launch-messages.ts'
import { escapeHtml, staticPageResponse } from './static-page.ts'

/** The browser gets the source text of this function. A prerendered page must not use up the token. */
function postForm(): void {
  const post = (): void => {
    const zone = document.querySelector<HTMLInputElement>('[name=time_zone]')
    if (zone) zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone
    document.forms[0]?.submit()
  }
  const page = document as Document & { readonly prerendering?: boolean }
  if (page.prerendering === true) document.addEventListener('prerenderingchange', post, { once: true })
  else post()
}
const POST_FORM = inlineScript(postForm)

/** `GET /launch`: posts the token as a form from our own origin; by a button where scripts are off. */
export function launchForm(
  facts: PublicSettings,
  locale: Locale,
  token: string,
  appearance: LaunchAppearance,
): Response {
  const messages = LAUNCH_MESSAGES[locale]
  const { theme } = appearance
  const given = Object.entries({ launch_token: token, locale: appearance.locale, theme }).flatMap(([name, value]) =>
    value === undefined ? [] : [`<input type="hidden" name="${name}" value="${escapeHtml(value)}">\n`],
  )
  const main = `<p>${messages.opening}</p>
<form method="post" action="/launch">
${given.join('')}<input type="hidden" name="time_zone">
<button>${messages.continue}</button>
</form>`
  return staticPageResponse(facts, 200, { locale, title: messages.opening, main, script: POST_FORM })
}

/** What a failed launch shows to the user, and the code for the script on the merchant's page. */
interface LaunchFailure {
  readonly text: keyof LaunchMessages
  readonly code: EmbedErrorCode
}

const FAILURES: Readonly<Partial<Record<ProblemCode, LaunchFailure>>> = {
  session_ended: { text: 'spent', code: 'token_used' },
  unauthenticated: { text: 'foreign', code: 'token_failed' },
  forbidden_origin: { text: 'origin', code: 'failed' },
  rate_limited: { text: 'busy', code: 'failed' },
}
const BROKEN: LaunchFailure = { text: 'broken', code: 'failed' }

/** A failed launch, as a page in the user's language. */
export function launchFailure(facts: PublicSettings, locale: Locale, problem: Problem, requestId: string): Response {
  const { text, code } = FAILURES[problem.code] ?? BROKEN
  const messages = LAUNCH_MESSAGES[locale]
  const script = hostReport(facts.embedOrigins, { type: 'error', code, message: LAUNCH_MESSAGES.en[text] })
  const main = `<h1>${messages[text]}</h1>
<p>${messages.again}</p>
<p><small dir="ltr">${escapeHtml(requestId)}</small></p>`
  const response = staticPageResponse(facts, problem.extras.status ?? PROBLEM_STATUS[problem.code], {
    locale,
    title: messages[text],
    main,
    script,
  })
  const { retryAfterS } = problem.extras
  if (retryAfterS !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterS)))
  return response
}
