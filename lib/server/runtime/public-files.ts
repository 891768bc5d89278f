import { globSync } from 'node:fs'

/** The paths under which the files of public/ are served. */
export const publicFiles = (folder: string): ReadonlySet<string> =>
  new Set(globSync('**/*.*', { cwd: folder }).map((name) => `/${name.replaceAll('\\', '/')}`))
