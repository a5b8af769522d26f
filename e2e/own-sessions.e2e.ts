import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { cutOff } from './support/cut-off.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, sidOf, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()
/** The browser itself reports every answer that is not a success, and pictures that were under way. */
const refusedByServer = /console: Failed to load resource: the server responded with a status of 4(01|03|12)/

it('a person ends a session elsewhere, which signs out by itself at once', async () => {
  const [here, there, third] = [await newPerson(), await newPerson(), await newPerson()]
  const elsewhere = [there, third]
  for (const { page, forgive } of elsewhere) {
    forgive(refusedByServer, cutOff)
    await signIn(page, 'staff')
  }
  await signIn(here.page, 'staff')
  await here.page.getByRole('button', { name: 'Open the main menu' }).click()
  await here.page.getByRole('menuitem', { name: 'Account' }).click()
  await here.page.getByRole('link', { name: 'Sessions' }).click()
  const rows = here.page.getByRole('table', { name: 'Sessions' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await rows.first().textContent()).toContain('This session')
  expect(await findBarriers(here.page)).toEqual([])
  await takeShots(here.page, 'own-sessions')

  // by the keyboard, the one that signed in last
  await rows
    .nth(1)
    .getByRole('button', { name: /^End the session/ })
    .press('Enter')
  await here.page.getByText('The session has been ended.').waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  const signedOut = ({ page }: (typeof elsewhere)[number]) => page.getByText('Your session has ended.').isVisible()
  await expect.poll(async () => (await Promise.all(elsewhere.map(signedOut))).toSorted()).toEqual([false, true])

  await here.page.getByRole('button', { name: 'End all others' }).click()
  await here.page.getByRole('group', { name: 'End all others' }).waitFor()
  await takeShots(here.page, 'own-sessions-asked')
  await here.page.keyboard.press('Enter')
  await here.page.getByText('You are signed in nowhere else.').waitFor()
  await expect.poll(() => Promise.all(elsewhere.map(signedOut))).toEqual([true, true])
  await takeShots(here.page, 'own-sessions-alone')
  await here.page.reload()
  await here.page.getByText('You are signed in nowhere else.').waitFor()
})

it('an ended session opens nothing any more, and the person signs in again', async () => {
  const [here, there] = [await newPerson(), await newPerson()]
  there.forgive(refusedByServer, cutOff)
  await signIn(there.page, 'reviewer')
  const sid = await sidOf(there.page)
  await signIn(here.page, 'reviewer')
  await here.page.goto('/account-settings/sessions')
  await here.page.getByRole('button', { name: 'End all others' }).click()
  await here.page.keyboard.press('Enter')
  await there.page.getByText('Your session has ended.').waitFor()
  const reply = await fetch(`${server().address}/api/v3/session/user`, { headers: { authorization: `Bearer ${sid}` } })
  expect(reply.status).toBe(401)
  await sendLogin(there.page, emailOf('reviewer'))
  await there.page.getByRole('navigation', { name: 'Groups' }).waitFor()
})
