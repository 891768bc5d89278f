/** Who gets into the operators' console, and how a session begins and ends. */
import type { Browser, Page } from 'playwright/test'
import { ageInvitations, ageTouches } from '../fixtures/console-rows.ts'
import { expect, test } from '../fixtures/console-test.ts'
import { addAuthenticator, invitationLink, operatorCommand } from '../fixtures/operator.ts'
import type { Stack } from '../fixtures/stack.ts'

const OVER = 'It was used, or its hour is over. Ask for another one.'

/** A page of another browser. */
const otherBrowser = async (browser: Browser, { cashier }: Stack): Promise<Page> =>
  (await browser.newContext({ baseURL: cashier.url })).newPage()

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

test('an invited operator creates a passkey, signs out, and signs in by it', async ({ page, context, signIn }) => {
  const { name, authenticator } = await signIn('admin')
  expect(await authenticator.count()).toBe(1)
  // The token is in no address and no history.
  await expect(page).toHaveURL(/\/operate$/)
  const [cookie, ...others] = await context.cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({
    name: '__Host-cashier-operator',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/',
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(signInButton(page)).toBeVisible()
  expect(await context.cookies()).toEqual([])
  // The page of the address follows the sign-in.
  await page.goto('/operate/settings')
  await signInButton(page).click()
  await expect(page.getByText(`${name}, admin`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.goto('/operate/sign-in')
  await expect(page).toHaveURL(/\/operate$/)
})

test('an invitation that was used, is over or is mistyped says so, alike', async ({ page, browser, stack }) => {
  const used = await invitationLink(stack, `used ${crypto.randomUUID()}`, 'viewer')
  const other = await otherBrowser(browser, stack)
  await addAuthenticator(other)
  await other.goto(used)
  await other.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(other.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.goto(used)
  await expect(page.getByText(OVER)).toBeVisible()

  const late = await invitationLink(stack, `late ${crypto.randomUUID()}`, 'viewer')
  await addAuthenticator(page)
  await page.goto('about:blank')
  await page.goto(late)
  await expect(page.getByRole('heading', { name: /^Welcome, late/ })).toBeVisible()
  await expect(page).toHaveURL(/\/operate\/invitation$/)
  ageInvitations(stack)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(page.getByText(OVER)).toBeVisible()

  for (const token of ['', 'x', 'a'.repeat(43)]) {
    await page.goto('about:blank')
    await page.goto(`/operate/invitation#${token}`)
    await expect(page.getByText(OVER)).toBeVisible()
  }
  await other.context().close()
})

test('a person who gives up is told so, and may try again', async ({ page, stack }) => {
  const authenticator = await addAuthenticator(page)
  await authenticator.confirms(false)
  await page.goto(await invitationLink(stack, `unsure ${crypto.randomUUID()}`, 'viewer'))
  await page.getByLabel('Name of this passkey').fill('')
  await expect(page.getByText('Give it a name.')).toBeVisible()
  await page.getByLabel('Name of this passkey').fill('My phone')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(page.getByText('The passkey was not used. Try again.')).toBeVisible()
  await authenticator.confirms(true)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(await operatorCommand(stack, 'list')).toContain('My phone')
})

test('a stolen cookie ends with the sign-out', async ({ page, context, browser, stack, signIn }) => {
  await signIn('viewer')
  const thief = await otherBrowser(browser, stack)
  await thief.context().addCookies(await context.cookies())
  await thief.goto('/operate')
  await expect(thief.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(signInButton(page)).toBeVisible()
  await thief.reload()
  await expect(signInButton(thief)).toBeVisible()
  await thief.context().close()
})

test('a session that ends in the middle is begun again, and the page goes on with what was typed', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('admin')
  await page.goto('/operate/operators')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const invite = page.getByRole('dialog', { name: 'Invite' })
  const name = `guest ${crypto.randomUUID().slice(0, 8)}`
  await invite.getByLabel('Name').fill(name)
  await invite.getByRole('radio', { name: /^agent/ }).check()
  await context.clearCookies()
  await invite.getByRole('button', { name: 'Make the link' }).click()
  await expect(ended(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Operators' })).toBeHidden()
  await ended(page).getByRole('button', { name: 'Use passkey' }).click()
  // The call that was refused goes on.
  await expect(invite.getByText(/\/operate\/invitation#/)).toBeVisible()
  await invite.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()

  await context.clearCookies()
  await page.getByRole('link', { name: 'Settings' }).click()
  await ended(page).getByRole('button', { name: 'Leave' }).click()
  await expect(signInButton(page)).toBeVisible()
  await expect(page).toHaveURL(/\/operate\/settings$/)
})

test('whoever leaves the console is signed out after 15 minutes, and what was typed stays', async ({
  page,
  context,
  signIn,
}) => {
  await page.clock.install()
  await signIn('admin')
  await page.goto('/operate/operators')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('Name').fill('half a na')
  await page.clock.runFor('14:00')
  await page.getByLabel('Name').press('End')
  await page.clock.runFor('14:50')
  await expect(ended(page)).toBeHidden()
  await page.clock.runFor('00:30')
  await expect(ended(page)).toBeVisible()
  await expect.poll(() => context.cookies()).toEqual([])
  await ended(page).getByRole('button', { name: 'Use passkey' }).click()
  await expect(ended(page)).toBeHidden()
  await expect(page.getByLabel('Name')).toHaveValue('half a na')
  await page.clock.runFor('00:30')
  await expect(ended(page)).toBeHidden()
})

test('a revoked passkey and a disabled operator are out at once', async ({ page, browser, stack, signIn }) => {
  await signIn('admin')
  const bob = await otherBrowser(browser, stack)
  const { name } = await signIn('viewer', bob)
  await page.goto('/operate/operators')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await card.getByRole('button', { name: /^Revoke the passkey/ }).click()
  const revoke = page.getByRole('dialog')
  await revoke.getByRole('button', { name: 'Revoke' }).click()
  await expect(revoke.getByText('Say why, in a few words.')).toBeVisible()
  await revoke.getByLabel('Reason').fill('lost phone')
  await revoke.getByRole('button', { name: 'Revoke' }).click()
  await expect(card.getByText('No passkey yet.')).toBeVisible()

  // His open page says so by itself.
  await ended(bob).getByRole('button', { name: 'Use passkey' }).click()
  await expect(ended(bob).getByRole('alert')).toContainText('This passkey is not accepted.')

  // A further passkey brings him back, until he is disabled.
  await bob.goto(await invitationLink(stack, name))
  await bob.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(bob.getByText(`${name}, viewer`)).toBeVisible()
  await page.reload()
  await card.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('has left us')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(card.getByText('disabled')).toBeVisible()
  await bob.reload()
  await signInButton(bob).click()
  await expect(bob.getByText(/^This passkey is not accepted/)).toBeVisible()
  await card.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('is back')
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await expect(card.getByText('disabled')).toBeHidden()
  await signInButton(bob).click()
  await expect(bob.getByText(`${name}, viewer`)).toBeVisible()
  await bob.context().close()
})

test('an act asks for the passkey again when the last touch is old', async ({ page, stack, signIn }) => {
  const { name, authenticator } = await signIn('admin')
  await page.goto('/operate/operators')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const invite = page.getByRole('dialog', { name: 'Invite' })
  await invite.getByLabel('Name').fill(`guest ${name}`)
  ageTouches(stack)
  await authenticator.confirms(false)
  await invite.getByRole('button', { name: 'Make the link' }).click()
  const touch = page.getByRole('dialog', { name: 'Use your passkey again' })
  await expect(touch.getByRole('alert')).toContainText('The passkey was not used.')
  await touch.getByRole('button', { name: 'Cancel' }).click()
  await expect(invite.getByRole('alert')).toContainText('Use your passkey again')
  await authenticator.confirms(true)
  await invite.getByRole('button', { name: 'Make the link' }).click()
  // The browser asks at once, since the operator has just pressed the button.
  await expect(invite.getByText(/\/operate\/invitation#/)).toBeVisible()
  await expect(touch).toBeHidden()
})

test('a viewer sees no operators, neither in the menu nor by address nor by a call', async ({ page, signIn }) => {
  await signIn('viewer')
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await expect(menu.getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Operators' })).toBeHidden()
  await page.goto('/operate/operators')
  await expect(page.getByText('Your role may not see this page')).toBeVisible()
  const statuses = await page.evaluate(async () => {
    const send = (method: string, path: string, body?: object) =>
      fetch(`/api/operate/${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }).then(({ status }) => status)
    return [
      await send('GET', 'operators'),
      await send('POST', 'operators/invitations', { name: 'Mallory', role: 'admin' }),
      await send('POST', 'examinations'),
    ]
  })
  expect(statuses).toEqual([403, 403, 403])
  await page.goto('/operate/settings')
  await expect(page.getByRole('heading', { name: 'Environment' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Examine' })).toBeHidden()
})

test('an admin changes a role, and cannot take the last admin away', async ({ page, browser, stack, signIn }) => {
  const { name } = await signIn('admin')
  const bob = await otherBrowser(browser, stack)
  const second = await signIn('viewer', bob)
  await page.goto('/operate/operators')
  const cardOf = (who: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: who }) })
  await cardOf(second.name).getByRole('button', { name: 'Change role' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^agent/ }).check()
  await dialog.getByLabel('Reason').fill('promoted')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(dialog).toBeHidden()
  await expect(cardOf(second.name).getByText('agent', { exact: true })).toBeVisible()
  // Other tests have admins on the same cashier.
  for (const line of (await operatorCommand(stack, 'list')).split('\n')) {
    const [, other] = /^(\S.*?) {2}admin$/.exec(line) ?? []
    if (other !== undefined && other !== name) await operatorCommand(stack, 'disable', other)
  }
  await cardOf(name).getByRole('button', { name: 'Disable' }).click()
  await dialog.getByLabel('Reason').fill('oops')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Then no admin could sign in any more.')
  // The role is new, so the session has ended.
  await bob.reload()
  await expect(signInButton(bob)).toBeVisible()
  await bob.context().close()
})

test('settings show the installation and no secret, and the doctor runs', async ({ page, stack, signIn }) => {
  await signIn('admin')
  await page.goto('/operate/settings')
  const main = page.getByRole('main')
  await expect(main.getByText('answered this page')).toBeVisible()
  await expect(main.getByText(/^SHA256:/).first()).toBeVisible()
  const text = await main.innerText()
  for (const name of ['SESSION_SECRET', 'MERCHANT_API_KEY', 'GATEWAY_API_KEY'] as const)
    expect(text).not.toContain(stack.cashier.env[name] ?? name)
  expect(text).toContain(stack.cashier.url)
  await main.getByRole('button', { name: 'Examine' }).click()
  await expect(main.getByText('every variable can be read')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Examine again' })).toBeVisible()
})

test('no site may frame the console, and it may use passkeys', async ({ page, stack, signIn }) => {
  await signIn('viewer')
  const { status, headers } = await page.evaluate(async () => {
    const response = await fetch('/operate')
    return { status: response.status, headers: Object.fromEntries(response.headers) }
  })
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(headers['permissions-policy']).toContain('publickey-credentials-get=(self)')
  expect(headers['permissions-policy']).toContain('publickey-credentials-create=(self)')
  // Neither a merchant's site that may frame the cashier, nor our own.
  for (const site of [stack.merchant.url, stack.cashier.url]) {
    await page.route(`${site}/framing`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${stack.cashier.url}/operate"></iframe>` }),
    )
    await page.goto(`${site}/framing`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  }
})
