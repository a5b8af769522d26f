import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { listFiles, makeFolder } from './support/corpus.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystem()
const folder = makeFolder()

let staffSid: string
let studies: ListedStudy[]
beforeAll(async () => {
  staffSid = await openSession(server().address, 'staff')
  studies = (await listStudies(server().address, staffSid)).filter((study) => study.phi_namespace_name === group)
})
afterAll(() => folder.remove())

const call = (path: string, input: Record<string, unknown>, sid = staffSid) =>
  callWell(server().address, path, { sid, ...input })
const get = (uuid: string) => call('study/get', { uuid })
const study = (at: number) => studies[at] as ListedStudy // the demo has three

async function openTab(page: Page, uuid: string, tab: string): Promise<void> {
  await page.goto(`/group/list?study=${uuid}&tab=${tab}`)
  await page.getByRole('tab', { selected: true }).waitFor()
}

describe('the summary', () => {
  it('[TAG-01] [TAG-02] [TAG-03] [TAG-04] takes tags by Enter and from those in use, and shows them to others at once', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    await signIn(page, 'staff')
    await signIn(other.page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await other.page.goto('/group/list')
    const input = page.getByRole('textbox', { name: 'Add a tag' })
    await input.fill('Second opinion')
    await input.press('Enter')
    await other.page.getByText('Second opinion').waitFor()
    await openTab(page, study(1).uuid, 'summary')
    await input.fill('secon')
    await page.getByRole('option', { name: 'Second opinion' }).click()
    await page.getByRole('button', { name: 'Remove the tag Second opinion' }).waitFor()
    for (const tag of ['Two', 'Three']) {
      await input.fill(tag)
      await input.press('Enter')
    }
    await page.getByRole('button', { name: '3 Selected' }).click()
    await page.getByRole('button', { name: 'Remove the tag Second opinion' }).click()
    await expect.poll(async () => (await get(study(1).uuid))['tags']).toEqual(['Two', 'Three'])
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('[SUMMARY-01] [SUMMARY-02] has the pictures, who, what and what happened, and no barriers', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await page.getByRole('list', { name: 'Series' }).getByRole('img').first().waitFor()
    for (const name of ['Patient demographics', 'Exam information', 'Exam history']) {
      await page.getByRole('button', { name }).waitFor()
    }
    await page
      .getByRole('row', { name: /Mei Tanaka.*Edited.*Second opinion/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /Upload/ })
      .first()
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'panel-summary')
  })

  it('stars a study and says how far the work is, which others see', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    await signIn(page, 'clinician')
    await signIn(other.page, 'staff')
    await openTab(page, study(0).uuid, 'summary')
    await openTab(other.page, study(0).uuid, 'summary')
    await page.getByRole('button', { name: 'Star this study' }).click()
    await page.getByRole('button', { name: 'Star this study', pressed: true }).waitFor()
    await page.getByRole('button', { name: /^Work status/ }).click()
    await page.getByRole('menuitem', { name: 'In progress' }).click()
    await other.page.getByRole('button', { name: 'Work status: In progress · Daniel Reyes' }).waitFor()
    expect(await other.page.getByRole('button', { name: 'Star this study', pressed: true }).count()).toBe(0)
    await call('study/set', { study_id: study(0).uuid, work_status: 'new' })
  })

  it('lists other exams that are likely of the same patient, in words', async () => {
    const { page } = await newPerson()
    const [a, b] = [await get(study(0).uuid), await get(study(2).uuid)]
    const identity = ['patient_name', 'patientid', 'patient_birth_date', 'patient_sex']
    const pick = (from: Record<string, unknown>) => Object.fromEntries(identity.map((name) => [name, from[name]]))
    await call('study/set', { study_id: study(2).uuid, ...pick(a) })
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await page.getByText(/Same name · Same date of birth/).waitFor()
    await call('study/set', { study_id: study(2).uuid, ...pick(b) })
  })
})

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

  it('[DOWNLOAD-01] [DOWNLOAD-02] the download carries the new MRN, and as received the old one', async () => {
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
    forgive(/status of 401/, /status of 403/, /WebSocket/)
    await signIn(page, 'clinician')
    await openTab(page, study(1).uuid, 'editMRN')
    await page.getByRole('textbox', { name: 'New MRN' }).fill('MRN-DRAFT')
    const sid = await page.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }).join(' '))
    const own = /[0-9a-f-]{36}|[\w-]{22,}/g
    for (const word of sid.match(own) ?? []) {
      const reply = await fetch(`${server().address}/api/v3/session/logout?sid=${encodeURIComponent(word)}`)
      if (reply.ok) break
    }
    // Whatever asks the server first learns of it: this act, or the page by itself.
    await page.getByRole('button', { name: 'Update' }).or(page.getByLabel('Username')).first().click()
    await page.getByLabel('Username').waitFor()
    await sendLogin(page, emailOf('clinician'))
    await page.getByRole('textbox', { name: 'New MRN' }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'New MRN' }).inputValue()).toBe('MRN-DRAFT')
  })
})

describe('attachments', () => {
  it('[ATTACH-01] [ATTACH-03] any file is attached, shown in place where it is a picture or PDF, saved and deleted', async () => {
    const { page, forgive } = await newPerson()
    forgive(/^asked elsewhere: chrome(-extension)?:/) // the browser's own PDF reader
    await signIn(page, 'staff')
    await openTab(page, study(0).uuid, 'attachments')
    await page.getByText('No attachments yet.').waitFor()
    const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c03' } })
      .png()
      .toBuffer()
    await choose(page, [
      { name: 'wound.png', mimeType: 'image/png', buffer: png },
      { name: 'letter.pdf', mimeType: 'application/pdf', buffer: makePdf('Referral letter') },
      {
        name: '<img src=x onerror=window.ran=1>.html',
        mimeType: 'text/html',
        buffer: Buffer.from('<script>window.ran = 1; top.ran = 1</script>'),
      },
    ])
    await page.getByText('3 attachments were uploaded.').waitFor()
    await page.getByRole('button', { name: 'Show wound.png' }).click()
    const picture = page.getByRole('img', { name: 'wound.png' })
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300)
    await takeShots(page, 'panel-attachments')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Show letter.pdf' }).click()
    await page.locator('iframe[title="letter.pdf"]').waitFor()
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('blob:'))).toBe(true)
    await takeShots(page, 'panel-attachment-pdf')
    await page.getByRole('button', { name: /^Show .*html$/ }).click()
    await page.getByText('This kind of file is not shown here.').waitFor()
    const arriving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download wound.png' }).click()
    const saved = join(folder.path, 'wound.png')
    await (await arriving).saveAs(saved)
    expect(readFileSync(saved).equals(png)).toBe(true)
    await page.getByRole('button', { name: 'Delete wound.png' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete attachment' }).click()
    await page.getByText('The attachment was deleted.').waitFor()
    await expect.poll(() => page.getByText('wound.png').count()).toBe(0)
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })

  it('[ATTACH-02] lists by pages of 10, 25, 50 and 100, with earlier versions of a file below it', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openTab(page, study(1).uuid, 'attachments')
    const files = Array.from({ length: 12 }, (_none, at) => note(`note-${at}.txt`, `text ${at}`))
    await choose(page, files)
    await page.getByText('1–10 of 12').waitFor()
    expect(await page.getByLabel('Rows per page').locator('option').allInnerTexts()).toEqual(['10', '25', '50', '100'])
    await page.getByRole('button', { name: 'Next page' }).last().click()
    await page.getByText('11–12 of 12').waitFor()
    await page.getByLabel('Rows per page').selectOption('25')
    await page.getByText('1–12 of 12').waitFor()
    await choose(page, [note('note-3.txt', 'a later text')])
    await page.getByRole('cell', { name: 'Earlier version' }).waitFor()
    // Those who may not delete have no button for it.
    expect(await page.getByRole('button', { name: /^Delete note/ }).count()).toBe(0)
  })
})

describe('deleting', () => {
  it('[DELETE-01] [DELETE-02] [PANEL-01] one exam by the menu: table, question, message, Undo', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    other.forgive(/status of 412/) // it asks for what is gone
    await signIn(page, 'staff')
    await signIn(other.page, 'clinician')
    await openTab(other.page, study(2).uuid, 'summary')
    await openTab(page, study(2).uuid, 'summary')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete exam' }).click()
    await page.getByRole('columnheader', { name: 'Patient' }).waitFor()
    await takeShots(page, 'panel-delete')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete exam' }).last().click()
    const question = page.getByRole('dialog', { name: 'Delete this exam?' })
    await question.getByText('restored for 30 days').waitFor()
    await takeShots(page, 'panel-delete-question')
    await question.getByRole('button', { name: 'Delete exam' }).click()
    await page.getByText('1 exam was deleted').waitFor()
    await takeShots(page, 'panel-deleted-message')
    expect(await findBarriers(page)).toEqual([])
    await other.page.getByText('This study is no longer here.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 exam was restored').waitFor()
    expect((await get(study(2).uuid))['is_deleted']).toBe(0)
  })

  it('[DELETE-02] [ERROR-19] [ERROR-20] [PANEL-06] of several, one that fails is named and the rest is done', async () => {
    const { page } = await newPerson()
    await signIn(page, 'staff')
    await page.goto('/group/list')
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
    await boxes.nth(0).check()
    const gone = (await page.locator('[data-card]').first().getAttribute('data-card')) ?? ''
    await boxes.nth(1).check()
    await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    await takeShots(page, 'panel-several')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Delete exams' }).click()
    await page.getByRole('button', { name: 'Delete 2 exams' }).click()
    await call('study/delete', { uuid: gone })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 exams' }).click()
    await page.getByText('Exam failed to be deleted').waitFor()
    await page.getByText(/It is no longer here/).waitFor()
    await page.getByText('1 exam was deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 exam was restored').waitFor()
    await page.goto(`/group/list?study=${gone}`)
    await page.getByText(/was deleted by Mei Tanaka/).waitFor()
    await takeShots(page, 'panel-deleted')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
  })
})

describe('hostile text', () => {
  it('is text in every field of every tab', async () => {
    const { page } = await newPerson()
    const payload = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>javascript:window.ran=1'
    await call('study/set', {
      study_id: study(2).uuid,
      patient_name: `${payload}^${payload}`,
      patientid: payload.slice(0, 64),
      study_description: payload,
      accession_number: payload,
      referring_physician: payload,
    })
    await call('tag/add', { object: 'Study', object_id: study(2).uuid, tag: payload.slice(0, 90) })
    await signIn(page, 'staff')
    for (const tab of ['summary', 'download', 'editMRN', 'attachments', 'deleteExams', 'exchange']) {
      await openTab(page, study(2).uuid, tab)
      await page.getByText('<img src=x').first().waitFor()
      expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    }
    await takeShots(page, 'panel-hostile')
  })
})

interface Given {
  name: string
  mimeType: string
  buffer: Buffer
}

const note = (name: string, text: string): Given => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

async function choose(page: Page, files: readonly Given[]): Promise<void> {
  await page.getByLabel('Files to attach').setInputFiles([...files])
}

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

/** The smallest document with a line of text. */
function makePdf(text: string): Buffer {
  const stream = `BT /F1 24 Tf 60 700 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
