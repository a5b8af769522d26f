import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { cutOff } from './support/cut-off.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { server, newPerson } = useSystem()
const emergency = useStudiesOf('Emergency Department', server)

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

it('[SEND-01][SEND-03][SEND-04][PANEL-02] sends an exam to another organisation, which finds it in its Organisation inbox and opens it, as the sender is told', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  await reader.page.goto('/')
  await sendLogin(reader.page, 'staff@lakeside.example')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /Organisation inbox/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBe(0)

  await signIn(sender.page, 'staff')
  await openTab(sender.page, emergency.study(0).uuid, 'sendExams')
  const form = sender.page.getByRole('form', { name: 'Send' })
  const button = form.getByRole('button', { name: 'Send exam' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await takeShots(sender.page, 'send-empty')
  await form.getByRole('combobox', { name: 'Organisations' }).fill('lake')
  await sender.page.getByRole('option', { name: 'Lakeside Radiology' }).click()
  await sender.page.keyboard.press('Escape')
  await form.getByLabel('Message').fill('For the tumour board on Thursday.')
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'send-filled')

  // taken back in time, and sent then
  await form.getByLabel('When').selectOption('Delay by 3 minutes')
  await button.click()
  await sender.page.getByRole('button', { name: 'Undo' }).waitFor()
  await takeShots(sender.page, 'send-later')
  await sender.page.getByRole('button', { name: 'Undo' }).click()
  await sender.page.getByText('Nothing was sent.').waitFor()
  await takeShots(sender.page, 'send-undone')
  await sender.page.getByRole('button', { name: 'Send more exams' }).click()
  await form.getByRole('combobox', { name: 'Organisations' }).fill('lake')
  await sender.page.getByRole('option', { name: 'Lakeside Radiology' }).click()
  await button.click()
  await sender.page.getByText(/^The exam of .* was sent to Lakeside Radiology\.$/).waitFor()
  await takeShots(sender.page, 'send-sent')

  // requests of the open exam are refused once it is taken back
  reader.forgive(/status of (403|404|412)/, cutOff, /^page error: $/)
  // without a reload
  await expect.poll(() => cards.count(), soon).toBe(1)
  await cards.first().click()
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe[title^="Viewer of"]').locator('canvas').first().waitFor()
  await takeShots(reader.page, 'send-received')

  await openTab(sender.page, emergency.study(0).uuid, 'sendExams')
  const row = sender.page.getByRole('row', { name: /Lakeside Radiology/ }).first()
  await row.waitFor()
  await expect.poll(async () => (await row.textContent())?.match(/Not yet/g)?.length, soon).toBe(1)
  await takeShots(sender.page, 'send-tracked')
  await row.getByRole('button', { name: 'Stop sending to Lakeside Radiology' }).click()
  await expect.poll(() => cards.count(), soon).toBe(0)
})

it('[SEND-01] mails a link that asks for the date of birth, and an administrator sees the connections', async () => {
  const [sender, administrator] = [await newPerson(), await newPerson()]
  await signIn(sender.page, 'staff')
  await openTab(sender.page, emergency.study(0).uuid, 'sendExams')
  const form = sender.page.getByRole('form', { name: 'Send' })
  await form.getByText('E-mail', { exact: true }).click()
  await form.getByLabel('E-mail addresses').fill('referrer@clinic.example')
  await form.getByLabel('The page asks for').selectOption('birthDate')
  await takeShots(sender.page, 'send-email')
  expect(await findBarriers(sender.page)).toEqual([])
  // two clicks in one turn of the page are one sending
  await form.getByRole('button', { name: 'Send exam' }).dblclick()
  await sender.page
    .getByText(/waits for referrer@clinic\.example in the mail outbox: no mail server is set up\.$/)
    .waitFor()
  const tracked = sender.page.getByRole('row', { name: /referrer@clinic\.example/ })
  await tracked.first().waitFor()
  expect(await tracked.count()).toBe(1)

  await signIn(administrator.page, 'administrator')
  await administrator.page.goto('/administration/outbox')
  await administrator.page.getByText('referrer@clinic.example').first().waitFor()
  await administrator.page.goto('/administration/connections')
  await administrator.page.getByRole('row', { name: /Harbour Clinic/ }).waitFor()
  expect(await findBarriers(administrator.page)).toEqual([])
  await takeShots(administrator.page, 'connections')
})

it('mails one link where the reply of the server is lost and somebody presses again', async () => {
  const [sender, administrator] = [await newPerson(), await newPerson()]
  await signIn(sender.page, 'staff')
  await openTab(sender.page, emergency.study(0).uuid, 'sendExams')
  const form = sender.page.getByRole('form', { name: 'Send' })
  await form.getByText('E-mail', { exact: true }).click()
  await form.getByLabel('E-mail addresses').fill('once@clinic.example')
  await form.getByLabel('The page asks for').selectOption('birthDate')
  sender.forgive(cutOff, /net::ERR_FAILED/)
  let lost = 0
  await sender.page.route('**/api/v3/bundle', async (route) => {
    if (lost > 0 || !route.request().postData()?.includes('once@clinic.example')) return route.fallback()
    lost += 1
    // the server sends, and nobody hears of it
    await route.fetch()
    await route.abort()
  })
  await form.getByRole('button', { name: 'Send exam' }).click()
  await sender.page.getByText('Failed to send exam(s)').waitFor()
  await takeShots(sender.page, 'send-lost')
  await sender.page.getByRole('button', { name: 'Try again' }).click()
  await sender.page
    .getByText(/waits for once@clinic\.example in the mail outbox: no mail server is set up\.$/)
    .waitFor()
  expect(lost).toBe(1)
  const tracked = sender.page.getByRole('row', { name: /once@clinic\.example/ })
  await tracked.first().waitFor()
  expect(await tracked.count()).toBe(1)

  await signIn(administrator.page, 'administrator')
  await administrator.page.goto('/administration/outbox')
  const mails = administrator.page.getByText('once@clinic.example')
  await mails.first().waitFor()
  expect(await mails.count()).toBe(1)
})
