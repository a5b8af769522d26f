import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeCertificate } from '../server/test/made-certificate.ts'
import { afterAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { makeImage } from './support/made-disc.ts'
import { hasToolkit } from './support/peers.ts'
import { takeShots } from './support/shots.ts'
import { sendLogin } from './support/sign-in.ts'
import { type SmtpSink, startSmtpSink } from './support/smtp-sink.ts'
import { findFreePort } from './support/start-server.ts'
import { useSystem } from './support/system.ts'

const folder = mkdtempSync(join(tmpdir(), 'hilum-first-'))
const administrator = { email: 'head@hospital.example', password: '42lantern-boat' }
let mail: SmtpSink
let dicomPort = 0
const { newPerson } = useSystem(async () => {
  mail = await startSmtpSink()
  dicomPort = await findFreePort()
  const { certFile, keyFile } = await makeCertificate(join(folder, 'tls'), 'hospital.example')
  return {
    HILUM_ADMIN_EMAIL: administrator.email,
    HILUM_ADMIN_PASSWORD: administrator.password,
    HILUM_SMTP_URL: mail.url,
    HILUM_MAIL_FROM: 'Hilum <hilum@hospital.example>',
    HILUM_DICOM_PORT: String(dicomPort),
    // the step stays open while the listener is for this machine alone
    HILUM_DICOM_HOST: '0.0.0.0',
    HILUM_TLS_CERT: certFile,
    HILUM_TLS_KEY: keyFile,
  }
}, ['--empty'])
afterAll(async () => {
  await mail.close()
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!hasToolkit)(
  'leads the first administrator from nothing to a group that receives its first exam',
  async () => {
    const { page } = await newPerson()
    await page.goto('/')
    await sendLogin(page, administrator.email, administrator.password)
    await page.waitForURL('**/administration')
    const step = (name: string) => page.getByRole('listitem', { name, exact: true })
    const isDone = (name: string) => step(name).getByText('Done', { exact: true }).waitFor()
    const back = () => page.getByRole('link', { name: 'First steps' }).click()
    await page.getByText('2 of 8 steps done').waitFor()
    await isDone('Groups')
    await isDone('Certificate')
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'first-steps-begin')

    await step('Name of the organisation').getByRole('link').click()
    await page.getByRole('textbox', { name: 'Name of the organisation' }).fill('St. Anne Hospital')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('The settings of the organisation have been saved.').waitFor()
    await back()
    await isDone('Name of the organisation')

    await step('Your own name').getByRole('link').click()
    await page.getByLabel('First name').fill('Anna')
    await page.getByLabel('Last name').fill('Berg')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your profile has been saved.').waitFor()
    await page.goto('/administration')
    await isDone('Your own name')

    await step('People').getByRole('link').click()
    await page.getByRole('button', { name: 'Invite user' }).click()
    const invite = page.getByRole('form', { name: 'Invite user' })
    await invite.getByLabel('First name').fill('Ida')
    await invite.getByLabel('Last name').fill('Holm')
    await invite.getByLabel('E-mail').fill('ida.holm@hospital.example')
    await invite.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('An invitation has been sent to ida.holm@hospital.example.').waitFor()
    await back()
    await isDone('People')

    await step('AE title and who may send').getByRole('link').click()
    await page.getByRole('button', { name: 'Edit Imaging Inbox' }).click()
    const group = page.getByRole('form', { name: /group/i })
    await group.getByLabel('AE title').fill('ANNE_INBOX')
    await group.getByLabel('Who may send', { exact: true }).fill('CT_ROOM_1@127.0.0.1')
    await group.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Imaging Inbox has been saved.').waitFor()
    await back()
    await isDone('AE title and who may send')
    await step('AE title and who may send').getByText(`port ${dicomPort}`).waitFor()

    await step('Mail').getByRole('button', { name: 'Send a test mail' }).click()
    await isDone('Mail')
    expect(mail.mails.some(({ to, text }) => to === administrator.email && text.includes('Test of your mail'))).toBe(
      true,
    )

    await page.getByText('7 of 8 steps done').waitFor()
    await step('The first exam').getByText('Waiting for the first exam').waitFor()
    const file = join(folder, 'first.dcm')
    writeFileSync(file, makeImage({ name: 'First^Exam', mrn: 'A1' }))
    const sender = ['-aet', 'CT_ROOM_1', '-aec', 'ANNE_INBOX', '127.0.0.1', String(dicomPort)]
    await promisify(execFile)('storescu', [...sender, file])
    await step('The first exam')
      .getByText(/has arrived in Imaging Inbox/)
      .waitFor()
    await step('The first exam').getByText('Sent by CT_ROOM_1.').waitFor()
    await page.getByText('Every step is done. The organisation is set up.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'first-steps-done')

    await page.getByRole('button', { name: 'Put this list away' }).click()
    await page.getByText('The list of first steps was put away.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show the list again' }).click()
    await page.getByRole('link', { name: 'Open Imaging Inbox' }).click()
    await page.locator('[data-card]').first().waitFor()
  },
)
