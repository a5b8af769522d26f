import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoStudies } from '@hilum/dicom/synthetic/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, callWell, openSession } from './support/call.ts'
import { findBarriers } from './support/axe.ts'
import { makeFolder, type PickFolder } from './support/corpus.ts'
import { setScheme, takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, openWizard } from './support/wizard.ts'

const { newPerson, server } = useSystem()

let disc: PickFolder
let junk: PickFolder
beforeAll(() => {
  disc = makeFolder()
  for (const study of demoStudies('another seed')) {
    for (const { path, bytes } of study.files()) {
      mkdirSync(join(disc.path, path, '..'), { recursive: true })
      writeFileSync(join(disc.path, path), bytes)
    }
  }
  writeFileSync(join(disc.path, 'README.TXT'), 'A disc of images')
  junk = makeFolder()
  writeFileSync(join(junk.path, 'README.TXT'), 'A disc without images')
})
afterAll(() => {
  disc.remove()
  junk.remove()
})

/** The screen has no barrier in light and dark; its pictures are taken when asked for. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme)
    expect({ screen: `${name}, ${scheme}`, barriers: await findBarriers(page) }).toEqual({
      screen: `${name}, ${scheme}`,
      barriers: [],
    })
  }
  await takeShots(page, name)
}

/** Asks for a new password, and reads the link where mails wait without a mail server. */
async function askForReset(): Promise<string> {
  const { address } = server()
  await callWell(address, 'user/password/lost', { email: emailOf('uploader') })
  const sid = await openSession(address, 'administrator')
  const { accounts } = await callWell(address, 'account/list', { sid })
  const [account] = accounts as { uuid: string }[] // the wire's
  const { mails } = await callWell(address, 'mail/outbox', { sid, account_id: account?.uuid })
  const mail = (mails as { recipient: string; body: string }[]).find(
    ({ recipient }) => recipient === emailOf('uploader'),
  )
  return /\/reset-password\/\S+/.exec(mail?.body ?? '')?.[0] ?? ''
}

describe('screens without barriers (WCAG 2.2 A and AA)', () => {
  it('before signing in', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 4(01|12)/, /status of 404 .*\/nowhere\)$/)
    await page.goto('/')
    await page.getByLabel('Username').waitFor()
    await inspect(page, 'login')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Username is required').waitFor()
    await inspect(page, 'login-missing')
    await sendLogin(page, emailOf('staff'), 'wrong-password-1')
    await page.getByText('The username or the password is not right.').waitFor()
    await inspect(page, 'login-refused')
    await page.goto('/forgot-password')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Email is required').waitFor()
    await inspect(page, 'forgot')
    await page.getByLabel('Email').fill('nobody@northside.example')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('No mail server is set up here').waitFor()
    await inspect(page, 'forgot-sent')
    await page.goto('/reset-password/never-given')
    await page.getByText('You reached this page by mistake').waitFor()
    await inspect(page, 'reset-wrong')
    await page.goto(await askForReset())
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Confirm reset password is required.').waitFor()
    await inspect(page, 'reset')
    await page.goto('/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await inspect(page, 'not-found')
    await page.goto('/help')
    await page.getByRole('heading', { name: 'Help' }).waitFor()
    await inspect(page, 'help')
  })

  it('the inbox', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.locator('[data-card]').first().waitFor()
    await inspect(page, 'list')
    await page.getByRole('button', { name: 'Open the main menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await inspect(page, 'menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Outpatient Imaging' }).click()
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    await page.getByRole('list', { name: 'Series' }).locator('img').first().waitFor()
    await inspect(page, 'summary')
    await page.getByRole('tab', { name: 'Downloads' }).click()
    await page.getByRole('button', { name: 'Download Exam' }).waitFor()
    await inspect(page, 'downloads')
    await page.getByRole('tab', { name: 'Viewer' }).click()
    const viewer = page.frameLocator('iframe[title^="Viewer of"]')
    await viewer.locator('.screen[data-state=image]').waitFor()
    await inspect(page, 'viewer')
    await page.goto('/group/list')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByText('6 studies selected').waitFor()
    await inspect(page, 'several')
    await page.getByRole('button', { name: 'Hospital PACS Gateway' }).click()
    await page.getByText('No studies in this state.').waitFor()
    await inspect(page, 'empty')
    await page.goto('/group/11111111-1111-4111-8111-111111111111/Inbox')
    await page.getByText('Cannot find the requested group').waitFor()
    await inspect(page, 'group-not-found')
  })

  it('the pages beside it', async () => {
    await call(server().address, 'user/password/lost', { email: emailOf('viewer') })
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.goto('/account-settings')
    await page.getByRole('heading', { name: 'Account settings' }).waitFor()
    await inspect(page, 'account-settings')
    await page.goto('/administration')
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
    await inspect(page, 'administration')
    await page.goto('/administration/security')
    await page.getByRole('checkbox', { name: 'Two-factor sign-in is required' }).waitFor()
    await inspect(page, 'security')
    await page.goto('/administration/outbox')
    await page
      .getByRole('row', { name: /Reset your password/ })
      .first()
      .waitFor()
    await page.getByText('No mail server is set up').waitFor()
    await inspect(page, 'outbox')
    await page.goto('/administration/refused')
    await page.getByRole('heading', { name: 'Refused access' }).waitFor()
    await inspect(page, 'refused-access')
  })

  it('the upload wizard, step by step', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 403 .*\/image/)
    // the list of the server lacks what was refused
    forgive(/status of 412 .*\/study\/sync/)
    await signIn(page, 'clinician')
    await page.getByRole('link', { name: 'Upload', exact: true }).click()
    await page.getByRole('heading', { name: 'Where should the exams go?' }).waitFor()
    await inspect(page, 'upload-0')
    await page.goto('/group/list')
    await openWizard(page, 'Emergency Department')
    await inspect(page, 'upload-1')
    await browseFor(page, junk.path)
    await page.getByText('No exams were found in the selected media').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await inspect(page, 'upload-1-junk')
    await browseFor(page, disc.path)
    await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
    await page.getByRole('button', { name: 'Show the series' }).first().click()
    await inspect(page, 'upload-2')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    const mrn = page.getByRole('textbox', { name: /^MRN of/ }).first()
    const before = await mrn.inputValue()
    await mrn.fill('')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Please enter a value').waitFor()
    await inspect(page, 'upload-3')
    await mrn.fill(before)
    // files wait until the page that shows them on their way was looked at; they are refused until that was looked at too
    const lookedAt = Promise.withResolvers<void>()
    let isRefusing = true
    await page.route('**/storage/namespace/*/image*', async (route) => {
      await lookedAt.promise
      await (isRefusing ? route.fulfill({ status: 403, json: {} }) : route.continue())
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const bar = page.getByRole('button', { name: 'Pause' })
    await bar.click()
    await page.getByText('Paused.').waitFor()
    await inspect(page, 'upload-running')
    lookedAt.resolve()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Failed to upload exams').waitFor({ timeout: 90_000 })
    await inspect(page, 'upload-failed')
    isRefusing = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 90_000 })
    await inspect(page, 'upload-done')
  })

  it('where an organisation has no inbox', async () => {
    const { address } = server()
    const sid = await openSession(address, 'administrator')
    const { accounts } = await callWell(address, 'account/list', { sid })
    const [account] = accounts as { uuid: string }[] // the wire's
    const setInbox = (value: string) =>
      callWell(address, 'account/set', { sid, uuid: account?.uuid, setting_enable_inbox_view: value })
    await setInbox('0')
    const { page } = await newPerson()
    await page.goto('/')
    await sendLogin(page, emailOf('uploader'))
    await page.getByRole('heading', { name: 'The inbox is not switched on' }).waitFor()
    await page.getByRole('link', { name: 'Account settings' }).waitFor()
    await inspect(page, 'no-inbox')
    await setInbox('1')
  })
})
