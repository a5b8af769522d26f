import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { cutOff } from './support/cut-off.ts'
import { bringPastItsEnd } from './support/age-link.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takePhoneShot, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystemOfTwo } from './support/system.ts'

const { server, newPerson } = useSystemOfTwo()
const emergency = useStudiesOf('Emergency Department', server)

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }
const secret = 'walrus-07'

it('[API-42][API-43][ENTITY-22] an outsider opens a link with its password, sees and downloads the exam, and loses it the moment the link is revoked', async () => {
  const [sender, outsider] = [await newPerson(), await newPerson()]
  const study = emergency.study(0)
  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'share')
  const links = sender.page.getByRole('region', { name: 'Links' })
  await links.getByText('There is no link to this exam.').waitFor()
  await links.getByRole('button', { name: 'Create link' }).click()
  const form = sender.page.getByRole('form', { name: 'New link' })
  await form.getByLabel('May be opened').selectOption('3 times')
  await form.getByRole('textbox', { name: 'Password' }).fill(secret)
  await form.getByRole('textbox', { name: 'Message' }).fill('Second opinion, please.\nThank you.')
  await form.getByLabel('The images may be downloaded').check()
  await form.scrollIntoViewIfNeeded()
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'link-form')
  await form.getByRole('button', { name: 'Create link' }).press('Enter')
  const address = await links.getByRole('textbox', { name: 'Address', exact: true }).inputValue()
  expect(address).toMatch(new RegExp(`^${server().address}/link/[\\w-]{22}$`))
  const row = links.getByRole('list', { name: 'Links to this exam' }).locator('> li')
  await row.getByText('times opened: 0 of 3', { exact: false }).waitFor()
  await row.scrollIntoViewIfNeeded()
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'link-made')

  const { page } = outsider
  // a mail scanner reads the address first
  expect((await outsider.context.request.get(address)).status()).toBe(200)
  await page.goto(address)
  const open = page.getByRole('button', { name: 'Open exam' })
  await open.waitFor()
  expect(await page.content()).not.toContain(study.patient_name.split('^')[0] ?? '?')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'link-door')
  outsider.forgive(/status of 412/)
  await page.getByRole('textbox', { name: 'Password' }).fill('walrus-08')
  await open.click()
  await page.getByText('That is not the password.').waitFor()
  await takeShots(page, 'link-wrong')
  await page.getByRole('textbox', { name: 'Password' }).fill(secret)
  await page.keyboard.press('Enter')
  await page.getByText('Second opinion, please.').waitFor()
  await page.frameLocator('iframe').locator('canvas').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'link-opened')
  // a reload is the same use, and nothing of the product is open to whoever has no login
  await page.reload()
  await page.frameLocator('iframe').locator('canvas').first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  await page.getByText(/^The download has begun/).waitFor()

  await row.getByText('times opened: 1 of 3', { exact: false }).waitFor()
  await row.getByText('Who opened it').click()
  await row.getByText(/from (127\.0\.0\.1|::1)/).waitFor()
  // requests of the open viewer are refused from now on
  outsider.forgive(/status of (401|403|404)/, /^page error: $/, cutOff)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await takeShots(sender.page, 'link-question')
  await sender.page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
  await links.getByText('The link was revoked.').waitFor()
  await page.getByText('This link was revoked').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'link-revoked')
  await expect.poll(() => page.locator('iframe').count(), soon).toBe(0)
})

it('an outsider reads the files of an exam by a link that shows them, and sees none by one that does not', async () => {
  const [sender, outsider] = [await newPerson(), await newPerson()]
  const study = emergency.study(1)
  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'attachments')
  const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear colleague, please compare.') }
  await sender.page.getByLabel('Files to attach').setInputFiles([letter])
  await sender.page.getByRole('cell', { name: 'letter.txt' }).first().waitFor()
  await openTab(sender.page, study.uuid, 'share')
  const links = sender.page.getByRole('region', { name: 'Links' })
  async function makeLink(withFiles: boolean): Promise<string> {
    await links.getByRole('button', { name: 'Create link' }).click()
    const form = sender.page.getByRole('form', { name: 'New link' })
    await form.getByRole('textbox', { name: 'Password' }).fill(secret)
    if (withFiles) await form.getByLabel('Files and reports').check()
    await form.getByRole('button', { name: 'Create link' }).press('Enter')
    return links.getByRole('textbox', { name: 'Address', exact: true }).inputValue()
  }
  const { page } = outsider
  const open = async (address: string) => {
    await page.goto(address)
    await page.getByRole('textbox', { name: 'Password' }).fill(secret)
    await page.getByRole('button', { name: 'Open exam' }).click()
    await page.frameLocator('iframe').locator('canvas').first().waitFor()
  }
  await open(await makeLink(true))
  await page.getByText('Files and reports', { exact: true }).click()
  await page.getByRole('button', { name: /letter\.txt/ }).click()
  await page.getByText('Dear colleague, please compare.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'link-files')
  await links.getByText('shows files and reports').first().waitFor()
  await open(await makeLink(false))
  expect(await page.getByText('Files and reports', { exact: true }).count()).toBe(0)
})

it('an address that is no link tells nothing, and a lost network is said and gets over', async () => {
  const { page, context, forgive } = await newPerson()
  // the viewer goes on asking while there is no network
  forgive(/status of 412/, /ERR_INTERNET_DISCONNECTED/, /^page error: $/)
  await page.goto('/link/AAAAAAAAAAAAAAAAAAAAAA')
  await page.getByText('There is no such link').waitFor()
  await takeShots(page, 'link-unknown')

  const { url } = await emergency.call('link/add', { study_id: emergency.study(1).uuid, action: 'STUDY_VIEW' })
  await page.goto(String(url))
  const open = page.getByRole('button', { name: 'Open exam' })
  await open.waitFor()
  await context.setOffline(true)
  await open.click()
  await page.getByText('There is no connection to the server.', { exact: false }).waitFor()
  await context.setOffline(false)
  await open.click()
  await page.frameLocator('iframe').locator('canvas').first().waitFor()
  await context.setOffline(true)
  await page.getByText('The connection to the server is lost.', { exact: false }).waitFor()
  await takeShots(page, 'link-lost')
  await context.setOffline(false)
  await expect
    .poll(() => page.getByText('The connection to the server is lost.', { exact: false }).count(), soon)
    .toBe(0)
})

it('a link on a phone shows the exam within the screen, and says when it is used up, locked or past its end', async () => {
  const outsider = await newPerson({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })
  const { page } = outsider
  const { uuid } = emergency.study(1)
  const makeLink = async (choices: Record<string, unknown> = {}): Promise<{ uuid: string; url: string }> => {
    const asked = { study_id: uuid, action: 'STUDY_VIEW', password: secret, ...choices }
    const made = await emergency.call('link/add', asked)
    return { uuid: String(made.uuid), url: String(made.url) }
  }
  const tryToOpen = async (password: string) => {
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Open exam' }).click()
  }
  const beyondTheScreen = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

  const once = await makeLink({ max_hits: 1 })
  await page.goto(once.url)
  await tryToOpen(secret)
  await page.frameLocator('iframe').locator('canvas').first().waitFor()
  expect(await beyondTheScreen()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await takePhoneShot(page, 'link-phone')
  // whoever comes after the one who opened it
  const late = await newPerson({ viewport: { width: 390, height: 780 } })
  await late.page.goto(once.url)
  await late.page.getByText('This link is used up').waitFor()
  await late.page.getByText('It was opened as many times as it may be.', { exact: false }).waitFor()

  outsider.forgive(/status of 412/, /^page error: $/, cutOff)
  await page.goto((await makeLink()).url)
  for (let tries = 1; tries <= 5; tries += 1) {
    await tryToOpen(`wrong-walrus-${tries}`)
    await page.getByText('That is not the password.').waitFor()
    // a wrong one is taken out of the field
    await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).inputValue(), soon).toBe('')
  }
  // the right one comes too late
  await tryToOpen(secret)
  await page.getByText('This link is locked').waitFor()
  await page.getByText('Whoever sent it can unlock it.', { exact: false }).waitFor()
  await takePhoneShot(page, 'link-phone-locked')

  const short = await makeLink()
  await bringPastItsEnd(server().dataFolder, short.uuid)
  await page.goto(short.url)
  await page.getByText('This link has ended').waitFor()
  await page.getByText('It was open for a time only.', { exact: false }).waitFor()
  expect(await beyondTheScreen()).toBe(0)
})
