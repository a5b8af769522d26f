import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { makeFolder } from './support/corpus.ts'
import { makePdf, makePdfWithScripts } from './support/made-pdf.ts'
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
    const { page } = await newPerson()
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
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Height 1.72 m\nno allergies'], 'notes.txt'))
      return transfer
    })
    // anywhere on the tab takes it
    await page.getByRole('heading', { name: 'Attachments' }).dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByRole('button', { name: 'Show notes.txt' }).click()
    await page.getByRole('group', { name: 'notes.txt' }).getByText('no allergies').waitFor()
    await takeShots(page, 'panel-attachment-text')
    await page.getByRole('button', { name: 'Show wound.png' }).click()
    const picture = page.getByRole('img', { name: 'wound.png' })
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300)
    await takeShots(page, 'panel-attachments')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Show letter.pdf' }).click()
    await page.getByRole('img', { name: 'letter.pdf, page 1 of 1' }).waitFor()
    await page.getByText('Referral letter', { exact: true }).waitFor()
    await takeShots(page, 'panel-attachment-pdf')
    await page.getByRole('button', { name: /^Show .*html$/ }).click()
    await page.getByText('<script>window.ran = 1; top.ran = 1</script>').waitFor()
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

  it('draws a PDF that holds scripts, and runs none of them', async () => {
    // a page that asks elsewhere, or breaks its policy, fails the test
    const { page, context } = await newPerson()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await signIn(page, 'staff')
    await openTab(page, study(2).uuid, 'attachments')
    const [broken, locked] = [Buffer.from('%PDF-1.7 and no more'), makePdf('x').subarray(0, 120)]
    await choose(page, [
      { name: 'scripts.pdf', mimeType: 'application/pdf', buffer: makePdfWithScripts('Harmless to look at') },
      { name: 'broken.pdf', mimeType: 'application/pdf', buffer: broken },
      { name: 'cut.pdf', mimeType: 'application/pdf', buffer: locked },
    ])
    await page.getByText('3 attachments were uploaded.').waitFor()
    await page.getByRole('button', { name: 'Show scripts.pdf' }).click()
    const drawn = page.getByRole('img', { name: 'scripts.pdf, page 1 of 1' })
    await page.getByText('Harmless to look at', { exact: true }).waitFor()
    expect(await countDark(drawn)).toBeGreaterThan(300)
    await takeShots(page, 'panel-attachment-scripts')
    expect(await findBarriers(page)).toEqual([])
    // where the button and the link are on the page
    const box = await drawn.boundingBox()
    for (const [x, y] of [
      [160, 172],
      [160, 272],
    ] as const)
      await drawn.click({ position: { x: (x / 612) * (box?.width ?? 0), y: (y / 792) * (box?.height ?? 0) } })
    expect(await page.locator('iframe:visible, object, embed').count()).toBe(0)
    expect(context.pages()).toHaveLength(1)
    expect(dialogs).toEqual([])
    // at its own address the browser's reader, which runs scripts, does not get it
    const address = await page.getByRole('link', { name: 'Download scripts.pdf' }).getAttribute('href')
    const saving = page.waitForEvent('download')
    await page.evaluate((href) => window.location.assign(String(href)), address)
    expect((await saving).suggestedFilename()).toBe('scripts.pdf')
    expect(dialogs).toEqual([])
    for (const name of ['broken.pdf', 'cut.pdf']) {
      await page.getByRole('button', { name: `Show ${name}` }).click()
      await page.getByText('This PDF could not be read here. Download it to open it.').waitFor()
    }
    expect(dialogs).toEqual([])
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
    // Without the right to delete there is no button.
    expect(await page.getByRole('button', { name: /^Delete note/ }).count()).toBe(0)
  })
})

interface Given {
  name: string
  mimeType: string
  buffer: Buffer
}

const note = (name: string, text: string): Given => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Pixels of a canvas that are darker than paper. */
function countDark(canvas: Locator): Promise<number> {
  return canvas.evaluate((element: HTMLCanvasElement) => {
    const pixels = element.getContext('2d')?.getImageData(0, 0, element.width, element.height).data ?? []
    let dark = 0
    for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) dark += 1
    return dark
  })
}

async function choose(page: Page, files: readonly Given[]): Promise<void> {
  await page.getByLabel('Files to attach').setInputFiles([...files])
}
