/**
 * Compresses the scripts and styles of a build with Brotli, at build time: `x.js.br` beside `x.js`
 * (lib/server/runtime/http/build-files.ts).
 */
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)

/** @param folder with a slash at its end. Returns how many files were compressed. */
export async function compressBuild(folder: string): Promise<number> {
  const files = globSync('**/*.{js,css}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(folder + file)
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
      await writeFile(`${folder}${file}.br`, await compress(text, { params }))
    }),
  )
  return files.length
}
