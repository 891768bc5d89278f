import * as z from 'zod/mini'

/** No control characters, and none that change the text direction. */
const isPlain = (text: string, most: number): boolean =>
  text.trim() !== '' && Array.from(text).length <= most && !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)

/** Text that a page may show unchanged, of at most `most` characters. @param least 0: it may be empty */
export function plainTextField(most: number, least: 0 | 1 = 1) {
  const length = least === 0 ? `at most ${most}` : `1 to ${most}`
  return z.string({ error: 'must be text' }).check(
    z.refine((text) => (least === 0 && text === '') || isPlain(text, most), {
      error: `must be ${length} characters of plain text, in one line`,
    }),
  )
}
