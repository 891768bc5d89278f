import type { StoryEntry } from '#lib/contract/operate/story.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** What every entry has. */
export const entryAt = (key: string, atMs: number, about: string | null): Pick<StoryEntry, 'key' | 'at' | 'about'> => ({
  key,
  at: iso(atMs),
  about,
})

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
