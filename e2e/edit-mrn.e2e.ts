import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { listFiles, makeFolder } from './support/corpus.ts'
import { callWell } from './support/call.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, sidOf, signIn } from './support/sign-in.ts'
import { useSystemOfTwo } from './support/system.ts'

const { newPerson, server } = useSystemOfTwo()
const { study, call, get } = useStudiesOf('Emergency Department', server)
const folder = makeFolder()
afterAll(() => folder.remove())

describe('Edit MRN', () => {
  it('[MRN-01] [MRN-02] [PROCESS-19] changes the MRN, keeps old and new on record, and leaves the received bytes alone', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const before = study(0).patientid
    await openTab(page, study(0).uuid, 'editMRN')
    const update = page.getByRole('button', { name: 'Update' })
    expect(await update.isDisabled()).toBe(true)
    const input = page.getByRole('textbox', { name: 'New MRN' })
    await input.fill('   ')
    expect(await update.isDisabled()).toBe(true)
    await input.fill('MRN\\1')
    await page.getByText('Please leave out the backslash').waitFor()
    expect(await update.isDisabled()).toBe(true)
    await takeShots(page, 'panel-mrn-fault')
    await input.fill('MRN-NEW-1')
    await page.getByText(`${before} → MRN-NEW-1`).waitFor()
    await takeShots(page, 'panel-mrn')
    expect(await findBarriers(page)).toEqual([])
    const sent = watchCalls(page)
    await update.click()
    await page.getByText(`The MRN was changed from ${before} to MRN-NEW-1.`).waitFor()
    expect(sent).toEqual(['study/lock', 'study/set', 'study/unlock'])
    await page.getByRole('tab', { name: 'Summary' }).click()
    await page
      .getByRole('row', { name: new RegExp(`Edited.*MRN: ${before} → MRN-NEW-1`) })
      .first()
      .waitFor()
    expect((await get(study(0).uuid))['patientid']).toBe('MRN-NEW-1')
  })

  it('[DOWNLOAD-01] the download carries the new MRN, and as received the old one', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'download')
    await takeShots(page, 'panel-download')
    expect(await findBarriers(page)).toEqual([])
    const corrected = await download(page)
    expect(readMrns(corrected)).toEqual(new Set(['MRN-NEW-1']))
    await page.getByRole('radio', { name: /As received/ }).check()
    expect(readMrns(await download(page))).toEqual(new Set([study(0).patientid]))
  })

  it('says who is editing, and lets go when they are done', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openTab(page, study(1).uuid, 'editMRN')
    await page.getByRole('textbox', { name: 'New MRN' }).fill('MRN-2')
    await call('study/lock', { uuid: study(1).uuid })
    await page.getByText('Mei Tanaka is editing this study.').waitFor()
    expect(await page.getByRole('button', { name: 'Update' }).isDisabled()).toBe(true)
    await takeShots(page, 'panel-locked')
    await call('study/unlock', { uuid: study(1).uuid })
    await expect.poll(() => page.getByRole('button', { name: 'Update' }).isDisabled()).toBe(false)
  })

  it('[ERROR-22] without a network says so, keeps what was typed, and does it on Try again', async () => {
    const { page, context, forgive } = await newPerson()
    forgive(/ERR_INTERNET_DISCONNECTED/, /WebSocket/)
    await signIn(page, 'clinician')
    await openTab(page, study(1).uuid, 'editMRN')
    await page.getByRole('textbox', { name: 'New MRN' }).fill('MRN-OFFLINE')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByText('Failed to update the changes').waitFor()
    expect(await page.getByRole('textbox', { name: 'New MRN' }).inputValue()).toBe('MRN-OFFLINE')
    await context.setOffline(false)
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to update the changes' })
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/to MRN-OFFLINE/).waitFor()
  })

  it('gives an unfinished form back after the session ended and the same person signed in', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 401/, /status of 403/, /status of 412 .*session\/ttl/, /WebSocket/)
    await signIn(page, 'clinician')
    await openTab(page, study(1).uuid, 'editMRN')
    await page.getByRole('textbox', { name: 'New MRN' }).fill('MRN-DRAFT')
    await callWell(server().address, 'session/logout', { sid: await sidOf(page) })
    // The next request learns of the logout: this act's, or one of the page itself.
    await page.getByRole('button', { name: 'Update' }).or(page.getByLabel('Username')).first().click()
    await page.getByLabel('Username').waitFor()
    await sendLogin(page, emailOf('clinician'))
    await page.getByRole('textbox', { name: 'New MRN' }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'New MRN' }).inputValue()).toBe('MRN-DRAFT')
  })
})

/** The study calls that the page makes from now on. */
function watchCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = /\/api\/v3\/(study\/(?:lock|set|unlock))$/.exec(request.url())?.[1]
    if (path) calls.push(path)
  })
  return calls
}

let downloads = 0
async function download(page: Page): Promise<string> {
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Exam' }).click()
  const zip = join(folder.path, `study-${++downloads}.zip`)
  await (await arriving).saveAs(zip)
  // the server tells that it sent all of it
  await page.getByText(/The whole file was sent: /).waitFor()
  return zip
}

function readMrns(zip: string): Set<string> {
  const out = `${zip}.out`
  execFileSync('unzip', ['-q', zip, '-d', out])
  const files = listFiles(out).filter((file) => !file.endsWith('DICOMDIR'))
  return new Set(
    files.map((file) => {
      const dump = execFileSync('dcmdump', ['+P', '0010,0020', file], { encoding: 'utf8' })
      return /\[(.*?)\]/.exec(dump)?.[1]?.trim() ?? ''
    }),
  )
}
