/** The inline scripts of pages without a framework. `scripts/build-embed.ts` bundles each file of lib/embed/inline. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type apiPage from '#lib/embed/inline/api-page.ts'
import type copyReference from '#lib/embed/inline/copy-reference.ts'
import type embed from '#lib/embed/inline/embed.ts'
import type noSession from '#lib/embed/inline/no-session.ts'
import type postForm from '#lib/embed/inline/post-form.ts'
import type report from '#lib/embed/inline/report.ts'

interface InlineScripts {
  readonly 'api-page': typeof apiPage
  readonly 'copy-reference': typeof copyReference
  readonly embed: typeof embed
  readonly 'no-session': typeof noSession
  readonly 'post-form': typeof postForm
  readonly report: typeof report
}

const BUNDLED = new URL('../../../embed/inline/bundled.json', import.meta.url)
let bundled: Readonly<Record<string, string>> | undefined

function bundledScripts(): Readonly<Record<string, string>> {
  try {
    bundled ??= z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(BUNDLED, 'utf8')))
    return bundled
  } catch (error) {
    throw new Error('the scripts of the static pages are missing: run `npm run build`', { cause: error })
  }
}

/** The hash of an inline script or style in a Content-Security-Policy: `sha256-…`, without the quotes. */
export const cspHash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

export interface InlineScript {
  /** Safe between `<script>` and `</script>`. */
  readonly text: string
  readonly hash: string
}

/** A call of one of the scripts with its arguments, as source text. */
export function inlineScript<Name extends keyof InlineScripts>(
  name: Name,
  ...args: Parameters<InlineScripts[Name]>
): InlineScript {
  const values = JSON.stringify(args).replaceAll('<', '\\u003c')
  const text = `(ARGS=>{${bundledScripts()[name] ?? ''}})(${values})`
  return { text, hash: cspHash(text) }
}
