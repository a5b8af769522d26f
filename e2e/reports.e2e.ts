/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { dataSetToJson } from '@hilum/dicom/json'
import { readDataSet } from '@hilum/dicom/read'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DicomObject, jsonTextOf } from '../viewer/page/src/dicom-json.ts'
import { writeLengthReport } from '../viewer/page/src/length-report.ts'
import { findBarriers } from './support/axe.ts'
import { hasCorpus, listFiles, pickFromCorpus, type PickFolder } from './support/corpus.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { openViewer, sendStudy } from './support/viewed-study.ts'
import { makeMarkedStudy, SHUTTER_GREY } from './support/marked-study.ts'
import { coveredPlaneAt, expectedPlanes, ownPlaneAt, readPlanes } from './support/read-planes.ts'
import {
  coveredInside,
  makeHardStudy,
  makePlainExam,
  makePlanesInPixels,
  makeWideColours,
} from './support/viewer-objects.ts'
import { readPicture, readShape, waitForPicture } from './support/viewer-stand.ts'

const { newPerson, server } = useSystem()

describe('the quick viewer, before objects that are hard to draw', () => {
  it('shows each, or says why not, and none keeps the others waiting', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 406/, /page error: (.*(XMLHttpRequest|request failed))?$/) // the broken one, which the server refuses too
    const uuid = await sendStudy(server().address, makeHardStudy('HARD^STUDY'))
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    const open = async (name: string) => {
      await frame.locator(`.tile[title="${name}"]`).click()
      return waitForPicture(frame)
    }
    const overlays = frame.getByRole('button', { name: 'Overlays' })
    const windowText = () => frame.locator('.window').innerText()
    expect((await open('Palette')).coloured).toBeGreaterThan(500)
    expect(await overlays.count()).toBe(0)
    expect((await open('No modality')).coloured).toBe(0)

    // numbered against their places, one window for all, and the padding left out of it
    await open('Slices')
    const shared = await windowText()
    const first = await readPicture(frame)
    expect(first.glaring).toBeLessThan(600)
    await page.keyboard.press('End')
    await expect.poll(async () => (await readPicture(frame)).lit).not.toBe(first.lit)
    expect((await readPicture(frame)).lit).toBeLessThan(first.lit)
    expect(await windowText()).toBe(shared)
    expect(await frame.locator('.edge').allInnerTexts()).toEqual(['R', 'L', 'A', 'P'])
    await frame.getByText('30.0 mm').waitFor()
    await page.keyboard.press('t')
    await frame.getByText('30.0 mm').waitFor({ state: 'hidden' })

    expect((await open('Map')).lit).toBeGreaterThan(500)
    expect(await windowText()).toBe('W 0.002  L 0.001')

    for (const name of ['Overlay', 'Overlay in the pixels']) {
      await open(name)
      const drawn = frame.locator('canvas.overlays:visible')
      await drawn.waitFor()
      await overlays.click()
      expect(await drawn.count()).toBe(0)
      expect((await readPicture(frame)).glaring).toBeLessThan(200)
      await overlays.click()
      expect(await drawn.count()).toBe(1)
    }

    const tall = await open('Tall pixels')
    expect(tall.lit).toBeLessThan(2000)
    await frame.locator('.tile[title="Broken"]').click()
    await frame.getByText('The file ends before its pixel data does.').waitFor()
    await frame.locator('.tile[title="Lost"]').click()
    await frame.getByText('This image came without its pixels. Its picture is lost.').waitFor()
    await takeShots(page, 'viewer-lost')
    await open('Palette')
    await takeShots(page, 'viewer-palette')
  })
})

describe('the quick viewer, before planes that lie over an image', () => {
  it('draws each bit of a plane on its pixel, regions by their outline, and what a presentation covers and adds', async () => {
    const { page } = await newPerson()
    const uuid = await sendStudy(server().address, makeMarkedStudy('PLANES^ON'))
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    await frame.locator('.tile[title="Planes"]').click()
    await waitForPicture(frame)
    await expect.poll(() => readPlanes(frame)).toEqual(expectedPlanes(ownPlaneAt))
    await takeShots(page, 'viewer-planes')

    await frame.getByRole('combobox', { name: 'Presentation', exact: true }).selectOption({ label: 'COVERED' })
    await expect.poll(() => readPlanes(frame)).toEqual(expectedPlanes(coveredPlaneAt(SHUTTER_GREY)))
    await takeShots(page, 'viewer-planes-covered')
  })

  it('says of an image whose own table of grey values cannot be read that its greys differ, and of no other', async () => {
    const { page } = await newPerson()
    const uuid = await sendStudy(server().address, makeMarkedStudy('TABLE^LOST'))
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    const remarks = () => frame.locator('.remarks').innerText()
    await frame.locator('.tile[title="Table without entries"]').click()
    await expect.poll(remarks).toMatch(/^The table of grey values of this image could not be used/)
    await waitForPicture(frame)
    await takeShots(page, 'viewer-table-lost')
    await frame.locator('.tile[title="Planes"]').click()
    await expect.poll(remarks).toBe('')
    await waitForPicture(frame)
    expect(await remarks()).toBe('')
  })
})

describe('the quick viewer, before one made image', () => {
  it('draws each of several planes inside the pixels of one image', async () => {
    const { page } = await newPerson()
    const uuid = await sendStudy(server().address, [makePlanesInPixels('20260821')])
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    await waitForPicture(frame)
    await expect.poll(() => readPlanes(frame)).toEqual(coveredInside)
  })

  it('draws a picture in colours of a table as wide as its pixels are, once', async () => {
    const { page } = await newPerson()
    const uuid = await sendStudy(server().address, [makeWideColours('20260822')])
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    await waitForPicture(frame)
    const shape = () => readShape(frame).then(({ width, height }) => Math.round((width / height) * 10) / 10)
    await expect.poll(shape).toBe(2)
  })

  it('draws the lengths again that a report of the study keeps, until overlays are taken off', async () => {
    const { page } = await newPerson()
    const image = makePlainExam('20260823', 'Measured before')
    const uuid = await sendStudy(server().address, [image, storeLength(image)])
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    await waitForPicture(frame)
    const words = frame.locator('.annotations').getByText(/^38\.6 mm/)
    await words.waitFor()
    expect(await frame.locator('.annotations .dot').count()).toBe(2)
    await takeShots(page, 'viewer-stored-length')
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await words.waitFor({ state: 'hidden' })
  })
})

/** A report that keeps one length on an image, as the quick viewer writes it. */
function storeLength(image: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const instance = dataSetToJson(readDataSet(image).dataSet) as DicomObject
  const measured = { instance, sopUid: jsonTextOf(instance, '00080018'), frame: 1, framesPerSecond: 1 }
  const length = {
    uid: 'kept',
    seriesUid: jsonTextOf(instance, '0020000E'),
    image: measured,
    points: [
      [10, 20],
      [40, 44],
    ] as const,
    value: 38.62,
    unit: 'mm' as const,
  }
  return writeLengthReport([length], new Date())
}

describe.skipIf(!hasCorpus)('the reports of an exam', () => {
  let picked: PickFolder
  let uuid: string
  beforeAll(async () => {
    picked = pickFromCorpus(['studies/ct-with-sr-seg-pr-ko-pdf'])
    uuid = await sendStudy(
      server().address,
      listFiles(picked.path).map((file) => new Uint8Array(readFileSync(file))),
    )
  })
  afterAll(() => picked?.remove())

  it('[PANEL-02] stand in a tab of their own, are read in place, and have no barriers', async () => {
    const { page } = await newPerson()
    await signIn(page, 'viewer')
    await page.goto(`/group/list?study=${uuid}`)
    await page.getByRole('tab', { name: 'Reports' }).click()
    await page.getByRole('row', { name: /Outside report \(PDF\)/ }).waitFor()
    const reports = page.getByRole('button', { name: /^Read / })
    expect(await reports.count()).toBe(3)
    await page.getByRole('button', { name: /^Read Outside report/ }).click()
    await page
      .locator('[data-state=drawn]')
      .getByRole('img', { name: /^Outside report.*, page 1 of \d+$/ })
      .waitFor()
    expect(await page.locator('iframe:visible, object, embed').count()).toBe(0)
    await takeShots(page, 'panel-report-pdf')
    await page
      .getByRole('button', { name: /^Read (?!Outside)/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Imaging Measurement Report' }).waitFor()
    await page.getByText('1.7 cm2').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'panel-report')
    const viewer = await openViewer(page, uuid)
    await waitForPicture(viewer)
    await viewer.locator('.tile[title="Outside report (PDF)"]').click()
    await viewer.getByRole('button', { name: 'Read it in Reports' }).click()
    await page.getByRole('tab', { name: 'Reports', selected: true }).waitFor()
  })

  it('an exam without reports has no such tab, and says so to who asks for it', async () => {
    const { page, forgive } = await newPerson()
    // the exams that are hard to draw stand in the list too
    forgive(/status of 406 .*thumbnail/)
    const plain = await sendStudy(server().address, [makePlainExam('20260814', 'No report')])
    await signIn(page, 'viewer')
    await page.goto(`/group/list?study=${plain}`)
    await page.getByRole('list', { name: 'Series' }).getByRole('img').first().waitFor()
    expect(await page.getByRole('tab', { name: 'Reports' }).count()).toBe(0)
    await page.goto(`/group/list?study=${plain}&tab=reports`)
    await page.getByText('No reports came with this exam.').waitFor()
  })
})
