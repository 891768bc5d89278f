/** `cashier version` */
import { readVersion, versionText } from '#lib/server/runtime/version.ts'

console.log(`cashier ${versionText(readVersion())}`)
