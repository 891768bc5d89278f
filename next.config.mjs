/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  // Next's gzip stays on, for merchants without a proxy that does it; streams opt out by `no-transform`.
  compress: true,
  // Icons come from the gateway's hosts; nothing of ours needs the optimizer, so its route is shut.
  images: { unoptimized: true },
  // The build traces what a bundle takes of Next's own files (scripts/bundle.ts); a server that runs ignores it aloud.
  ...(process.env['NEXT_TRACE'] === 'on' && { output: 'standalone' }),
  outputFileTracingExcludes: { '*': ['node_modules/@img/**', 'node_modules/sharp/**', 'node_modules/typescript/**'] },
  typedRoutes: false,
  // `npm run types` checks the whole project, tests included; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Loaded by Node itself, so that server.ts and Next's routes share one copy of each.
  serverExternalPackages: [
    'iron-session',
    'kysely',
    'pg',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'standardwebhooks',
  ],
  // Our own log has a line for each request; Next's would hold the address with its launch token.
  logging: { incomingRequests: false },
  // Fewer and larger files compress better: about 1.3 kB less JavaScript on each first load.
  experimental: {
    turbopackChunking: { minChunkSize: 400_000, maxMergeChunkSize: 1_000_000 },
  },
  // `next dev` would write a file of instructions into the project.
  agentRules: false,
}

export default config
