import { afterAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, openSession } from './support/call.ts'
import { cutOff } from './support/cut-off.ts'
import { takeShots } from './support/shots.ts'
import { sendLogin, signIn } from './support/sign-in.ts'
import { type SmtpSink, startSmtpSink } from './support/smtp-sink.ts'
import { useSystem } from './support/system.ts'

let mail: SmtpSink
const { newPerson, server } = useSystem(async () => {
  mail = await startSmtpSink()
  return { HILUM_SMTP_URL: mail.url, HILUM_MAIL_FROM: 'Hilum <hilum@northside.example>' }
})
afterAll(() => mail.close())

const newPassword = '42harbour-lamp'
/** A browser tells of every refused request by itself. */
const refusedByServer = /console: Failed to load resource: the server responded with a status of 4(01|12)/

it('[ADMIN-USERS-04] an administrator invites a person, who signs in by the mailed link, is disabled and cannot any more', async () => {
  const { page, forgive } = await newPerson()
  forgive(refusedByServer)
  await signIn(page, 'administrator')
  await page.goto('/administration')
  await page.getByRole('link', { name: 'Users' }).click()
  const grid = page.getByRole('grid', { name: 'Users' })
  await grid.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'users')

  await page.getByRole('button', { name: 'Invite user' }).click()
  const form = page.getByRole('form', { name: 'Invite user' })
  await form.getByLabel('First name').fill('Ida')
  await form.getByLabel('Last name').fill('Holm')
  await form.getByLabel('E-mail').fill('viewer@northside.example')
  await form.getByLabel('Role in the organisation').selectOption('Viewer')
  await form.getByRole('group', { name: 'Groups' }).getByRole('checkbox').first().check()
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Send invitation' }).click()
  await form.getByText('Another user has this e-mail address.').waitFor()
  await takeShots(page, 'users-invite')
  await form.getByLabel('E-mail').fill('ida.holm@northside.example')
  await form.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('An invitation has been sent to ida.holm@northside.example.').waitFor()

  const findMail = () => mail.mails.find(({ to }) => to === 'ida.holm@northside.example')
  await expect.poll(findMail, { timeout: 30_000 }).toBeDefined()
  const link = /https?:\/\/\S+\/reset-password\/\S+/.exec(findMail()?.text ?? '')?.[0] ?? ''
  const ida = await newPerson()
  await ida.page.goto(link)
  await ida.page.getByLabel('New password', { exact: true }).fill(newPassword)
  await ida.page.getByLabel('Confirm new password').fill(newPassword)
  await ida.page.getByRole('button', { name: 'Reset' }).click()
  await ida.page.getByText('Your password has been reset, please login with the new password.').waitFor()
  await sendLogin(ida.page, 'ida.holm@northside.example', newPassword)
  await ida.page.getByText('Welcome, Ida Holm').waitFor()

  await page.getByRole('button', { name: 'Disable Ida Holm' }).click()
  await page.getByRole('dialog', { name: 'Disable user?' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'users-disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Ida Holm has been disabled.').waitFor()
  await grid.getByRole('row', { name: /Ida Holm\s*Disabled/ }).waitFor()
  ida.forgive(refusedByServer, cutOff)
  await ida.page.reload()
  await sendLogin(ida.page, 'ida.holm@northside.example', newPassword)
  await ida.page.getByText('This login is disabled. Please ask your administrator.').waitFor()
  expect(await ida.page.getByText('Welcome, Ida Holm').count()).toBe(0)
})

it('[ADMIN-USERS-06] an administrator filters, selects, edits and deletes', async () => {
  const { page } = await newPerson()
  await addDisabled('Nora', 'Lund', 'nora.lund@northside.example')
  await signIn(page, 'administrator')
  await page.goto('/administration/users')
  const grid = page.getByRole('grid', { name: 'Users' })
  await grid.getByRole('row', { name: /Priya Raman/ }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText('2 users selected').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('State').selectOption('Disabled')
  await grid.getByRole('row', { name: /Nora Lund/ }).waitFor()
  await grid.getByRole('row', { name: /administrator@/ }).waitFor({ state: 'detached' })
  await page.getByText('2 users selected').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'users-filter')
  await page
    .getByRole('group', { name: 'Actions on the selected users' })
    .getByRole('button', { name: 'Enable' })
    .click()
  await page.getByRole('dialog', { name: 'Enable users?' }).getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Select at least one disabled user.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)

  await grid.getByRole('button', { name: 'Edit Nora Lund' }).click()
  const form = page.getByRole('form', { name: 'Edit user' })
  await form.getByLabel('Last name').fill('Berg')
  await takeShots(page, 'users-edit')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nora Berg has been saved.').waitFor()
  await grid.getByRole('button', { name: 'Delete Nora Berg' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nora Berg has been deleted.').waitFor()
  await grid.getByRole('row', { name: /Nora Berg/ }).waitFor({ state: 'detached' })
})

async function addDisabled(first: string, last: string, email: string): Promise<void> {
  const { address } = server()
  const sid = await openSession(address, 'administrator')
  const { accounts } = (await callWell(address, 'account/list', { sid })) as { accounts: { uuid: string }[] } // as declared
  const added = await callWell(address, 'account/user/add', { sid, uuid: accounts[0]?.uuid, first, last, email })
  await callWell(address, 'user/enable', { sid, uuid: added.uuid, disable: 1 })
}
