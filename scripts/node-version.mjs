/**
 * Loaded before every entry (`node --import`): fails with an explanation when the machine's older Node runs instead of
 * the Node that `npm ci` installs. Plain JavaScript, because an old Node cannot read TypeScript.
 */
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Cashier needs Node 24; this is ${process.version} (${process.execPath}).\n` +
      '`npm ci` installs Node 24: run it, then start everything with `npm run …`, which uses that Node.\n' +
      'If you have run `npm ci`, its install scripts were blocked: run `npm rebuild node`, or install Node 24 yourself.\n',
  )
  process.exit(1)
}
