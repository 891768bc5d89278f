/**
 * `npm run docs -- FOLDER`: writes the documents as a static site into a folder, which any web server can serve. Each
 * version has its own folder there.
 */
import { parseArgs } from 'node:util'
import { readVersion } from '#lib/server/runtime/version.ts'
import { makeSite } from './site/make-site.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [folder] = positionals
if (folder === undefined || positionals.length > 1) {
  console.error('usage: npm run docs -- FOLDER')
  process.exitCode = 1
} else {
  const made = await makeSite(folder, readVersion().version)
  console.log(`${made.folder}: ${made.pages} pages. Serve ${folder}.`)
}
