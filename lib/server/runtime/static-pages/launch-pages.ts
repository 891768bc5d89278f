import type { Locale } from '#lib/contract/locales.ts'
import type { EmbedErrorCode } from '#lib/contract/embed-protocol.ts'
import { PROBLEM_STATUS, type Problem, type ProblemCode } from '#lib/contract/problems.ts'
import { inlineScript } from './inline-script.ts'
import type { LaunchAppearance } from '../../store/types.ts'
import { TextAnswer } from '../http/answer.ts'
import type { PublicSettings } from '../http/response-headers.ts'
import { LAUNCH_MESSAGES, type LaunchMessages } from '#lib/i18n/messages/launch-messages.ts'
import { statePages, type StatePageFacts, type StatePageWords } from './state-page.ts'
import { escapeHtml, staticPageResponse } from './static-page.ts'

/** `GET /launch`: posts the token as a form from our own origin; with a button if scripts are off. */
export function launchForm(
  facts: PublicSettings,
  locale: Locale,
  token: string,
  appearance: LaunchAppearance,
): TextAnswer {
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
  return staticPageResponse(facts, 200, { locale, title: messages.opening, main, script: inlineScript('post-form') })
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

const COPY_ICON =
  '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 24 24"><rect x="8" y="8" width="14" height="14" rx="2"/><path d="M4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2"/></svg>'

/** The reference to quote, with a copy button if scripts run. */
function reference({ text, part }: StatePageWords, requestId: string): string {
  const label = text('details.copyField', { field: text('problem.quote') })
  return `<div class="reference" data-testid="reference">
<div>${part('problem.quote', 'span')} <button id="copy" type="button" aria-label="${escapeHtml(label)}" hidden>${COPY_ICON}</button></div>
<bdi id="quoted" dir="ltr">${escapeHtml(requestId)}</bdi>
<p id="copied" role="status"></p>
</div>`
}

export type LaunchFailurePage = (locale: Locale, problem: Problem, requestId: string) => Promise<TextAnswer>

/** A failed launch, as a page in the user's language. */
export function launchFailurePage(facts: StatePageFacts): LaunchFailurePage {
  const document = statePages(facts)
  return async (locale, problem, requestId) => {
    const { text, code } = FAILURES[problem.code] ?? BROKEN
    const title = LAUNCH_MESSAGES[locale][text]
    const answer = await document({
      locale,
      status: problem.extras.status ?? PROBLEM_STATUS[problem.code],
      testId: 'launch-failed',
      title: () => title,
      main: (words) => `<h1>${escapeHtml(title)}</h1>
${words.part('problem.sessionEnded.again', 'p')}
${words.support}
${reference(words, requestId)}`,
      scripts: (words) => [
        inlineScript('report', facts.embedOrigins, { type: 'error', code, message: LAUNCH_MESSAGES.en[text] }),
        inlineScript('copy-reference', words.text('common.copied'), words.text('common.copySelected')),
      ],
    })
    const { retryAfterS } = problem.extras
    if (retryAfterS === undefined) return answer
    const headers = { ...answer.headers, 'retry-after': String(Math.ceil(retryAfterS)) }
    return new TextAnswer(answer.content, { status: answer.status, headers })
  }
}
