/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  // Next's gzip stays on for merchants whose proxy does not compress; streams opt out by `no-transform`.
  compress: true,
  // Icons come from the gateway's hosts, and no other image needs the optimizer, so its route is disabled.
  images: { unoptimized: true },
  // The build traces which of Next's files a bundle needs (scripts/bundle.ts). A running server would warn of the
  // setting.
  ...(process.env['NEXT_TRACE'] === 'on' && { output: 'standalone' }),
  outputFileTracingExcludes: { '*': ['node_modules/@img/**', 'node_modules/sharp/**', 'node_modules/typescript/**'] },
  typedRoutes: false,
  // `npm run types` checks the whole project with its tests, so a build does not repeat it.
  typescript: { ignoreBuildErrors: true },
  // Loaded by Node itself, so that server.ts and Next's routes share one copy of each.
  serverExternalPackages: ['iron-session', 'kysely', 'pg', 'pino', 'prom-client', 'standardwebhooks'],
  // Our own log has a line for each request; Next's log would contain the URL with its launch token.
  logging: { incomingRequests: false },
  // Fewer and larger files compress better: about 1.3 kB less JavaScript on each first load.
  experimental: {
    turbopackChunking: { minChunkSize: 400_000, maxMergeChunkSize: 1_000_000 },
  },
  // Without this, `next dev` writes a file of instructions into the project.
  agentRules: false,
}

export default config
