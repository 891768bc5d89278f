import type { Page } from 'playwright/test'
import type { Stack } from '../fixtures/stack.ts'
import { onMerchant } from './host-page.ts'

/** Opens a page of the merchant's admin that frames this address. */
export async function openAdmin(page: Page, { merchant }: Stack, view: string): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>Admin</title><main><h1>Admin</h1><iframe title="Deliveries" src="${view}" style="width:100%;height:900px;border:0"></iframe></main></html>`
  await page.goto(await onMerchant(merchant.url)(html, {}))
}
