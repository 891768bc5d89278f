import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'

export const isoAt = (ms: number): string => new Date(ms).toISOString()

/** What every entry has. */
export const entryAt = (key: string, atMs: number, about: string | null): Pick<StoryEntry, 'key' | 'at' | 'about'> => ({
  key,
  at: isoAt(atMs),
  about,
})

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoAt(ms))
