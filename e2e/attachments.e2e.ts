import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { makeFolder } from './support/corpus.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()
const { study } = useStudiesOf('Emergency Department', server)
const folder = makeFolder()
afterAll(() => folder.remove())

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

interface Given {
  name: string
  mimeType: string
  buffer: Buffer
}

const note = (name: string, text: string): Given => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

async function choose(page: Page, files: readonly Given[]): Promise<void> {
  await page.getByLabel('Files to attach').setInputFiles([...files])
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
