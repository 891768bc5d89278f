import { escaped, htmlPage } from './html.ts'

/** Where `link_external_wallet` leads: the spec does not show it, so it only names the address. */
export const walletPage = (address: string): string =>
  htmlPage({
    title: 'External wallet',
    name: 'widget',
    theme: 'auto',
    body: `<main class="card"><h1>Deposit from your wallet</h1><p>Send to this address:</p><p class="address">${escaped(address)}</p></main>`,
  })
