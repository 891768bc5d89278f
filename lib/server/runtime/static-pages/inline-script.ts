import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'

/** The hash of an inline script or style in a Content-Security-Policy: `sha256-…`, without the quotes. */
export const cspHash = (text: string): string => `sha256-${base64.encode(sha256(utf8ToBytes(text)))}`

export interface InlineScript {
  /** Safe between `<script>` and `</script>`. */
  readonly text: string
  readonly hash: string
}

/** A call of a self-contained function with its arguments, as source text. */
export function inlineScript<A extends readonly unknown[]>(run: (...args: A) => void, ...args: A): InlineScript {
  const literals = args.map((value) => JSON.stringify(value).replaceAll('<', '\\u003c'))
  const text = `(${run.toString()})(${literals.join(',')})`
  return { text, hash: cspHash(text) }
}
