import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, openSession } from './support/call.ts'
import { bringNearItsEnd } from './support/age-link.ts'
import { makeDisc } from './support/made-disc.ts'
import { makePdf } from './support/made-pdf.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { linksOfMail } from './support/sent-mail.ts'
import { takePhoneShot, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { type SmtpSink, startSmtpSink } from './support/smtp-sink.ts'
import { useSystemOfTwo } from './support/system.ts'
import { browseFor } from './support/wizard.ts'

let mail: SmtpSink
const { newPerson, server } = useSystemOfTwo(async () => {
  mail = await startSmtpSink()
  return { HILUM_SMTP_URL: mail.url, HILUM_MAIL_FROM: 'Hilum <hilum@northside.example>' }
})
const emergency = useStudiesOf('Emergency Department', server)
const disc = makeDisc(
  { name: 'Roe^Richard', mrn: 'OUT-1', birthDate: '19710203', studyUid: '2.25.771', description: 'MR knee' },
  { name: 'Roe^Richard', mrn: 'OUT-1', birthDate: '19710203', studyUid: '2.25.771', description: 'MR knee' },
)
afterAll(async () => {
  disc.remove()
  await mail.close()
})

/** How long a loaded machine may take. */
const soon = { timeout: 60_000 }
const secret = 'walrus-07'
const mailTo = async (address: string, at = 0) => {
  await expect.poll(() => mail.mails.filter(({ to }) => to === address).length, soon).toBeGreaterThan(at)
  return mail.mails.filter(({ to }) => to === address)[at]?.text ?? ''
}

it('[REQUEST-01][REQUEST-07][PANEL-01][PERM-08] an outside party follows the mailed link, sends a folder, and the requester is told, sees the exam and that it is of another patient', async () => {
  const [requester, outsider] = [await newPerson(), await newPerson({ viewport: { width: 390, height: 780 } })]
  const { page } = requester
  await signIn(page, 'staff')
  await page.getByRole('button', { name: 'Emergency Department' }).click()
  await page.waitForURL(/\/group\/[0-9a-f-]{36}/)
  const [, group] = /\/group\/([0-9a-f-]{36})/.exec(page.url()) ?? []
  await page.goto(`/study/request/${group}`)
  const form = page.getByRole('form', { name: 'Request study' })
  await form.getByLabel('E-mail of the sender').fill('clinic@outside.example')
  await form.getByRole('button', { name: '3 hours' }).click()
  await form.getByRole('textbox', { name: 'Link password' }).fill(secret)
  await form.getByLabel('Study description').fill('MRI of the left knee, March')
  await form.getByLabel('Last name').fill('Doe')
  await form.getByLabel('First name').fill('Jane')
  await form.getByLabel('Date of birth').fill('1980-01-02')
  await form.getByLabel('Date of the exam').fill('2020-01-02')
  await form.getByLabel('Modality').fill('CT')
  await form.getByLabel('Words of its description').fill('left knee')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-form')
  await form.getByRole('button', { name: 'Send request' }).click()
  await page.waitForURL(/Pending%20Requests/)
  expect(page.url()).toContain(`/group/${group}/Pending%20Requests`)
  const panel = page.getByRole('region', { name: 'Pending Requests' }).last()
  await panel.getByRole('heading', { name: 'clinic@outside.example' }).waitFor()
  await panel.getByText('Nothing has arrived').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-pending')

  const asked = await mailTo('clinic@outside.example')
  expect(asked).not.toMatch(/doe|jane|knee|1980/i)
  const [address = ''] = /https?:\/\/\S+\/link\/[\w-]{22}/.exec(asked) ?? []
  const away = outsider.page
  await away.goto(address)
  await away.getByRole('textbox', { name: 'Password' }).waitFor()
  expect(await away.content()).not.toMatch(/knee|Doe|Emergency/)
  expect(await findBarriers(away)).toEqual([])
  await takeShots(away, 'request-door')
  await away.getByRole('textbox', { name: 'Password' }).fill(secret)
  await away.getByRole('button', { name: 'Open' }).click()
  await away.getByText('MRI of the left knee, March').waitFor()
  await away.getByText('DOE', { exact: false }).waitFor()
  expect(await findBarriers(away)).toEqual([])
  await takeShots(away, 'request-opened')
  await browseFor(away, disc.path)
  await away.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
  expect(await findBarriers(away)).toEqual([])
  await takeShots(away, 'request-select')
  // the exams of another patient than the one who was asked for are chosen by hand
  await away.getByText('Not chosen, since another patient was asked for.', { exact: false }).waitFor()
  expect(await away.getByRole('button', { name: 'Send 0 exams' }).isDisabled()).toBe(true)
  await away.getByRole('checkbox', { name: 'Select all exams', exact: true }).check()
  await away.getByRole('button', { name: 'Send 1 exam' }).click()
  await away.getByText('Say who you are first.').waitFor()
  await away.getByLabel('Your name or institution').fill('Outside Clinic')
  await away.getByRole('button', { name: 'Send 1 exam' }).click()
  await away.getByText('Say that you have looked at them.').waitFor()
  await away.getByRole('checkbox', { name: /^I have looked at these exams/ }).check()
  await away.getByRole('button', { name: 'Send 1 exam' }).click()
  await away.getByText('Thank you: everything has arrived').waitFor(soon)
  expect(await findBarriers(away)).toEqual([])
  await takeShots(away, 'request-done')
  // a reload is the same use, and the same folder is known again
  await away.reload()
  await away.getByText('1 exam was sent from this page before.', { exact: false }).waitFor()

  expect(await mailTo('staff@northside.example', 0)).toContain('arriving')
  const told = await mailTo('staff@northside.example', 1)
  expect(told).toContain(`/group/${group}/Pending%20Requests`)
  expect(told).not.toMatch(/roe|richard|knee/i)
  await panel.getByText('Another patient?').waitFor(soon)
  await panel.getByText('Another exam?').waitFor()
  await panel.getByText('Outside Clinic').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-arrived')
  await panel.getByRole('button', { name: 'Open exam' }).click()
  await page.getByRole('heading', { name: /ROE/i }).first().waitFor()

  await page.goBack()
  outsider.forgive(/status of 412/)
  await panel.getByRole('button', { name: 'Cancel request' }).click()
  await away.getByText('This link was revoked').waitFor(soon)
  await takeShots(page, 'request-cancelled')
  await page.getByText('Ended', { exact: true }).click()
  await page
    .getByRole('region', { name: 'Pending Requests' })
    .first()
    .getByText(/^Cancelled /)
    .waitFor(soon)
  await page.getByRole('button', { name: 'clinic@outside.example' }).click()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-ended')
  await panel.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('The request is open again', { exact: false }).waitFor()
})

it('[REQUEST-01][UPLOAD-06][UPLOAD-24] an outside party sends photos and a letter from a phone, and the requester sees whose they say they are', async () => {
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const place = (namespaces as { name: string; uuid: string }[]).find(({ name }) => name === 'Outpatient Imaging')
  const expected = { patient_name: 'Doe^Jane', patient_birth_date: '19800102' }
  const asked = { sid, namespace_id: place?.uuid, action: 'STUDY_UPLOAD', email: 'photos@outside.example', ...expected }
  const { url, uuid } = await callWell(address, 'link/add', asked)
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
  const { page } = await newPerson(phone)
  await page.goto(`${address}/link/${String(url).split('/link/')[1]}`)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('button', { name: 'Take a photo' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takePhoneShot(page, 'request-photos-find')
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c03' } })
    .jpeg()
    .toBuffer()
  await page.locator('input[aria-label="Choose photos or documents"]').setInputFiles([
    { name: 'wound.jpg', mimeType: 'image/jpeg', buffer: photo },
    { name: 'letter.pdf', mimeType: 'application/pdf', buffer: makePdf('Referral') },
    { name: 'values.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') },
  ])
  await page.getByRole('heading', { name: 'Whose pictures and documents are these?' }).waitFor()
  await page.getByText('1 file is not part of the upload').waitFor()
  await page.getByLabel('Your name or institution').fill('Outside Clinic')
  await page.getByRole('button', { name: 'Send 2 files' }).click()
  await page.getByText('Please complete all the mandatory fields.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takePhoneShot(page, 'request-photos-form')
  await takeShots(page, 'request-photos-form')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Roe')
  await page.getByRole('textbox', { name: 'First name' }).fill('Richard')
  await page.getByRole('textbox', { name: 'Date of birth' }).fill('19710203')
  await page.getByRole('combobox', { name: 'Gender' }).selectOption('male')
  await page.getByRole('textbox', { name: 'MRN' }).fill('OUT-9')
  await page.getByRole('textbox', { name: 'Study date' }).fill('2025-11-20')
  await takePhoneShot(page, 'request-photos-filled')
  await page.getByRole('button', { name: 'Send 2 files' }).click()
  await page.getByText('Thank you: everything has arrived').waitFor(soon)
  await takePhoneShot(page, 'request-photos-done')
  const { arrivals } = await callWell(address, 'link/get', { sid, uuid })
  expect(arrivals).toMatchObject([{ image_count: 2, verdict: 'different' }])
})

it('[REQUEST-01] a request that wants the address proven opens by a code from the mailbox that it was sent to', async () => {
  const [requester, outsider] = [await newPerson(), await newPerson({ viewport: { width: 390, height: 780 } })]
  const { page } = requester
  await signIn(page, 'staff')
  await page.getByRole('button', { name: 'Outpatient Imaging' }).click()
  await page.waitForURL(/\/group\/[0-9a-f-]{36}/)
  const [, group] = /\/group\/([0-9a-f-]{36})/.exec(page.url()) ?? []
  await page.goto(`/study/request/${group}`)
  const form = page.getByRole('form', { name: 'Request study' })
  await form.getByLabel('E-mail of the sender').fill('proven@outside.example')
  await form.getByRole('checkbox', { name: 'The sender proves the address' }).check()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-form-pin')
  await form.getByRole('button', { name: 'Send request' }).click()
  const panel = page.getByRole('region', { name: 'Pending Requests' }).last()
  await panel.getByText('A code mailed to the sender').waitFor()
  const [address = ''] = /https?:\/\/\S+\/link\/[\w-]{22}/.exec(await mailTo('proven@outside.example')) ?? []
  const away = outsider.page
  await away.goto(address)
  await away.getByRole('button', { name: 'Mail me a code' }).click()
  await away.getByText('The code is on its way', { exact: false }).waitFor()
  expect(await findBarriers(away)).toEqual([])
  await takePhoneShot(away, 'request-pin')
  await takeShots(away, 'request-pin')
  const [, code = ''] = /^(\d{6})$/m.exec(await mailTo('proven@outside.example', 1)) ?? []
  outsider.forgive(/status of 412/)
  await away.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
  await away.getByRole('button', { name: 'Open' }).click()
  await away.getByText('That is not the code of the last mail.').waitFor()
  await away.getByLabel('Code').fill(code)
  await away.getByRole('button', { name: 'Open' }).click()
  await away.getByLabel('Your name or institution').waitFor()
})

it('[SEND-01] the mails of a sent exam lead to it: the first, and the reminder before its end', async () => {
  const [sender, outsider] = [await newPerson(), await newPerson()]
  const study = emergency.study(1)
  const recipient = 'referrer@outside.example'
  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'sendExams')
  const form = sender.page.getByRole('form', { name: 'Send' })
  await form.getByText('E-mail', { exact: true }).click()
  await form.getByLabel('E-mail addresses').fill(recipient)
  await form.getByLabel('The page asks for').selectOption('none')
  await form.getByRole('checkbox', { name: 'The images may be downloaded' }).check()
  await form.getByRole('button', { name: 'Send exam' }).click()
  await sender.page.getByText(/^The exam of .* is on its way to referrer@outside\.example\.$/).waitFor()

  const sent = linksOfMail(await mailTo(recipient))
  expect(sent.text).toContain(`${server().address}/link/`)
  expect(sent.html).toBe(sent.text)
  const { page } = outsider
  await page.goto(sent.html)
  await page.getByRole('button', { name: 'Open exam' }).click()
  await page.frameLocator('iframe').locator('canvas').first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)

  await bringNearItsEnd(server().dataFolder, recipient)
  const reminder = await mailTo(recipient, 1)
  expect(reminder).toContain('Subject: A link to an exam ends soon')
  const again = linksOfMail(reminder)
  expect(again.html).toBe(again.text)
  // no request tells the port of this stand: the secret alone is the same
  expect(new URL(again.html).pathname).toBe(new URL(sent.html).pathname)
  const another = await newPerson()
  await another.page.goto(new URL(again.html).pathname)
  await another.page.getByRole('button', { name: 'Open exam' }).click()
  await another.page.frameLocator('iframe').locator('canvas').first().waitFor()
})
