import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { cutOff } from './support/cut-off.ts'
import { type DiscImage, makeDisc } from './support/made-disc.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { type DemoLogin, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor } from './support/wizard.ts'

const { server, newPerson } = useSystem()
const emergency = useStudiesOf('Emergency Department', server)

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

it('[SEND-01][SEND-03][SEND-04][PANEL-02] sends an exam to another organisation, which finds it in its Organisation inbox and opens it, as the sender is told', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  const { uuid } = emergency.study(0)
  await reader.page.goto('/')
  await sendLogin(reader.page, 'staff@lakeside.example')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /Organisation inbox/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBe(0)

  await signIn(sender.page, 'staff')
  await openTab(sender.page, uuid, 'attachments')
  const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear colleague, please compare.') }
  await sender.page.getByLabel('Files to attach').setInputFiles([letter])
  await sender.page.getByRole('cell', { name: 'letter.txt' }).first().waitFor()
  await openTab(sender.page, uuid, 'sendExams')
  const form = sender.page.getByRole('form', { name: 'Send' })
  const button = form.getByRole('button', { name: 'Send exam' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await takeShots(sender.page, 'send-empty')
  await form.getByRole('combobox', { name: 'Organisations' }).fill('lake')
  await sender.page.getByRole('option', { name: 'Lakeside Radiology' }).click()
  await sender.page.keyboard.press('Escape')
  await form.getByLabel('Message').fill('For the tumour board on Thursday.')
  await form.getByRole('checkbox', { name: 'Send the 1 attached file along' }).check()
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
  await sender.page.keyboard.press('Escape')
  await form.getByRole('checkbox', { name: 'Send the 1 attached file along' }).check()
  await button.click()
  await sender.page.getByText(/^The exam of .* was sent to Lakeside Radiology\.$/).waitFor()
  await takeShots(sender.page, 'send-sent')
  // nothing of what was sent is chosen for what is sent next
  await sender.page.getByRole('button', { name: 'Send more exams' }).click()
  expect(await button.isDisabled()).toBe(true)
  expect(await form.getByRole('checkbox', { name: 'Send the 1 attached file along' }).isChecked()).toBe(false)

  // requests of the open exam are refused once it is taken back
  reader.forgive(/status of (403|404|412)/, cutOff, /^page error: $/)
  // without a reload
  await expect.poll(() => cards.count(), soon).toBe(1)
  await cards.first().click()
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe[title^="Viewer of"]').locator('canvas').first().waitFor()
  await takeShots(reader.page, 'send-received')
  await reader.page.getByRole('tab', { name: 'Attachments' }).click()
  await reader.page
    .getByRole('button', { name: /letter\.txt/ })
    .first()
    .click()
  await reader.page.getByText('Dear colleague, please compare.').waitFor()

  await openTab(sender.page, emergency.study(0).uuid, 'sendExams')
  const row = sender.page.getByRole('row', { name: /Lakeside Radiology/ }).first()
  await row.waitFor()
  await expect.poll(async () => (await row.textContent())?.match(/Not yet/g)?.length, soon).toBe(1)
  await takeShots(sender.page, 'send-tracked')
  await row.getByRole('button', { name: 'Stop sending to Lakeside Radiology' }).click()
  await expect.poll(() => cards.count(), soon).toBe(0)
})

it('[SEND-01] mails a link that asks for the date of birth, which the outbox of the demo shows and an outsider follows; and an administrator sees the connections', async () => {
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
    .getByText(/^No mail server is set up: nothing of the exam of .+ leaves for referrer@clinic\.example\./)
    .waitFor()
  const tracked = sender.page.getByRole('row', { name: /referrer@clinic\.example/ })
  await tracked.first().waitFor()
  expect(await tracked.count()).toBe(1)

  await signIn(administrator.page, 'administrator')
  await administrator.page.goto('/administration/outbox')
  await administrator.page
    .getByRole('button', { name: 'Read the mail to referrer@clinic.example', exact: true })
    .click()
  const address = await administrator.page.getByRole('dialog').getByRole('link').getAttribute('href')
  const outsider = await newPerson()
  await outsider.page.goto(address ?? '')
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(emergency.study(0).patient_birth_date) ?? []
  await outsider.page.getByRole('textbox', { name: 'Day' }).fill(day ?? '')
  await outsider.page.getByRole('combobox', { name: 'Month' }).selectOption(String(Number(month)))
  await outsider.page.getByRole('textbox', { name: 'Year, four digits' }).fill(year ?? '')
  await outsider.page.getByRole('button', { name: 'Open exam' }).click()
  await outsider.page.frameLocator('iframe').locator('canvas').first().waitFor()
  expect(await outsider.page.getByRole('button', { name: 'Download' }).count()).toBe(0)
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
    .getByText(/^No mail server is set up: nothing of the exam of .+ leaves for once@clinic\.example\./)
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

describe('a share code', () => {
  const place = 'Outpatient Imaging'
  const code = 'OUTPATIENTS'

  /** Exams of the place that a login of the demo sees. */
  async function seenBy(login: DemoLogin, fits: (study: ListedStudy) => boolean): Promise<string[]> {
    const studies = await listStudies(server().address, await openSession(server().address, login))
    return studies.filter((study) => study.phi_namespace_name === place && fits(study)).map(({ uuid }) => uuid)
  }

  /** Gives the group a share code by which anybody sends; approval is asked for unless somebody says otherwise. */
  async function giveCode(): Promise<void> {
    const sid = await openSession(server().address, 'administrator')
    const { namespaces } = await callWell(server().address, 'user/namespace/list', { sid })
    const group = (namespaces as { name: string; type_uuid: string }[]).find(({ name }) => name === place)
    const share_settings = JSON.stringify({ takes_uploads: 1 })
    await callWell(server().address, 'group/set', { sid, uuid: group?.type_uuid, share_code: code, share_settings })
  }

  /** Sends a folder by the page of the share code, which is open. */
  async function sendFolder(page: Page, image: DiscImage): Promise<void> {
    const disc = makeDisc(image, image)
    onTestFinished(() => disc.remove())
    await browseFor(page, disc.path)
    await page.getByRole('button', { name: 'Send 1 exam' }).click()
    await page.getByText('Thank you: everything has arrived').waitFor()
  }

  const waits = (page: Page) => page.getByText('This exam waits for approval.', { exact: false })

  it('of a group takes an exam from somebody without a login, which a member approves, and one that a member rejects', async () => {
    await giveCode()
    const [outsider, member] = [await newPerson(), await newPerson()]
    await outsider.page.goto(`/share-code/${code.toLowerCase()}`)
    await outsider.page.getByText(place).waitFor()
    await outsider.page.getByRole('button', { name: 'Send exams' }).click()
    await outsider.page.getByRole('textbox', { name: 'Your name or institution' }).fill('Clinic West')
    await sendFolder(outsider.page, { name: 'Code^Approved', mrn: 'CODE-1', studyUid: '2.25.881' })
    const isFirst = ({ study_uid }: ListedStudy) => study_uid === '2.25.881'
    await expect.poll(() => seenBy('administrator', isFirst), soon).toHaveLength(1)
    expect(await seenBy('clinician', isFirst)).toEqual([])
    await signIn(member.page, 'administrator')
    const [first = ''] = await seenBy('administrator', isFirst)
    await openTab(member.page, first, 'summary')
    await waits(member.page).waitFor()
    // the history of the exam says so too
    await member.page.getByText('Sent by Clinic West, with the share code').first().waitFor()
    expect(await findBarriers(member.page)).toEqual([])
    await takeShots(member.page, 'code-waits')
    await member.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await member.page.getByText('1 exam was approved.').waitFor()
    await waits(member.page).waitFor({ state: 'detached' })
    expect(await seenBy('clinician', isFirst)).toEqual([first])

    await outsider.page.getByRole('button', { name: 'Send more' }).click()
    await outsider.page.getByText('1 exam was sent from this page before.', { exact: false }).waitFor()
    await sendFolder(outsider.page, { name: 'Code^Rejected', mrn: 'CODE-2', studyUid: '2.25.882' })
    const isSecond = ({ study_uid }: ListedStudy) => study_uid === '2.25.882'
    await expect.poll(() => seenBy('administrator', isSecond), soon).toHaveLength(1)
    const [second = ''] = await seenBy('administrator', isSecond)
    await openTab(member.page, second, 'summary')
    await member.page.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = member.page.getByRole('dialog', { name: 'Reject this exam?' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('No patient of ours')
    expect(await findBarriers(member.page)).toEqual([])
    await takeShots(member.page, 'code-reject')
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    await member.page.getByText('1 exam was rejected.').waitFor()
    expect(await seenBy('administrator', isSecond)).toEqual([])
    expect(await seenBy('clinician', isFirst)).toEqual([first])
  })

  it('[SEND-01] takes an exam from inside, which is in the other group once a member approved it', async () => {
    await giveCode()
    const [sender, member] = [await newPerson(), await newPerson()]
    const { study_uid: sent, uuid } = emergency.study(2)
    const isSent = ({ study_uid }: ListedStudy) => study_uid === sent
    await signIn(sender.page, 'staff')
    await openTab(sender.page, uuid, 'sendExams')
    const form = sender.page.getByRole('form', { name: 'Send' })
    await form.getByText('Share code', { exact: true }).click()
    await form.getByRole('textbox', { name: 'Share code' }).fill(code)
    await form.getByRole('button', { name: 'Send exam' }).click()
    await sender.page.getByText(/^The exam of .* was sent to the holder of the share code\.$/).waitFor()
    await takeShots(sender.page, 'code-sent')
    expect(await seenBy('clinician', isSent)).toEqual([])
    const [arrived = ''] = await seenBy('administrator', isSent)
    await signIn(member.page, 'administrator')
    await openTab(member.page, arrived, 'summary')
    await waits(member.page).waitFor()
    await member.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await waits(member.page).waitFor({ state: 'detached' })
    await sender.page.getByRole('navigation', { name: 'Groups' }).getByRole('button', { name: place }).click()
    await sender.page.locator(`[data-card="${arrived}"]`).waitFor()
  })
})
