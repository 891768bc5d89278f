/**
 * Loaded before every entry (`node --import`): says what to do where the machine's Node runs instead of the one that
 * `npm ci` brings. Plain JavaScript, because an old Node cannot read TypeScript.
 */
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Cashier needs Node 24; this is ${process.version} (${process.execPath}).\n` +
      'Node 24 comes with the packages: run `npm ci`, then start everything by `npm run …`, which finds it first.\n' +
      'If `npm ci` has been run, its install scripts were blocked: run `npm rebuild node`, or install Node 24 yourself.\n',
  )
  process.exit(1)
}
