import { expect, test } from 'vitest'
import { copyText } from './copy-text.ts'

/** The parts of a document that copying uses; `allows` is what `execCommand` does. */
function page(allows: 'copies' | 'refuses' | 'throws' | 'says yes and copies nothing') {
  const listeners = new Set<(event: ClipboardEvent) => void>()
  const clipboard: string[] = []
  const selected: unknown[] = []
  const document = {
    addEventListener: (_type: string, listener: (event: ClipboardEvent) => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: (event: ClipboardEvent) => void) => listeners.delete(listener),
    execCommand: () => {
      if (allows === 'throws') throw new Error('blocked')
      if (allows === 'copies') {
        const event = {
          clipboardData: { setData: (_type: string, text: string) => clipboard.push(text) },
          preventDefault: () => undefined,
        } as unknown as ClipboardEvent
        for (const listener of listeners) listener(event)
      }
      return allows !== 'refuses'
    },
    getSelection: () => ({ removeAllRanges: () => undefined, addRange: (range: unknown) => selected.push(range) }),
    createRange: () => ({ selectNodeContents: (node: unknown) => ({ node }) }),
  } as unknown as Document
  return { document, clipboard, selected, listeners }
}

const shown = {} as Element

test('the Clipboard API is tried first', async () => {
  const written: string[] = []
  const { document, clipboard } = page('copies')
  const api = { writeText: async (text: string) => void written.push(text) }
  expect(await copyText('TQn9', shown, { clipboard: api, document })).toBe('copied')
  expect([written, clipboard]).toEqual([['TQn9'], []])
})

test.each([
  ['refused', { writeText: () => Promise.reject(new Error('denied')) }],
  ['missing', undefined],
])('when the Clipboard API is %s, execCommand copies', async (_name, api) => {
  const { document, clipboard, listeners } = page('copies')
  expect(await copyText('TQn9', shown, { clipboard: api, document })).toBe('copied')
  expect(clipboard).toEqual(['TQn9'])
  expect(listeners.size).toBe(0)
})

test.each(['refuses', 'throws', 'says yes and copies nothing'] as const)(
  'when execCommand %s, the text is selected instead',
  async (allows) => {
    const { document, selected, listeners } = page(allows)
    expect(await copyText('TQn9', shown, { clipboard: undefined, document })).toBe('selected')
    expect(selected).toHaveLength(1)
    expect(listeners.size).toBe(0)
  },
)
