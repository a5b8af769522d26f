/// <reference lib="dom" />
import type { Frame } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { openFullViewer, openViewer, sendStudy, waitForFullViewer } from './support/viewed-study.ts'
import { makeHardStudy, makePlainExam } from './support/viewer-objects.ts'
import { readPicture, SOON } from './support/viewer-stand.ts'

const { newPerson, server } = useSystem()

beforeAll(() => waitForFullViewer(server().address))

const thumbnails = (full: Frame) => full.locator('[data-cy^=study-browser-thumbnail]')

/** Waits until the first place shows this series. */
async function openSeries(full: Frame, name: string): Promise<void> {
  await thumbnails(full).filter({ hasText: name }).first().dblclick()
  await full.locator('[data-cy=viewport-grid]').getByText(name, { exact: true }).waitFor()
}

describe('the full viewer, before objects that are hard to draw', () => {
  it('shows each in the window of its series, or says in words why not, and Escape closes it', async () => {
    const { page, forgive } = await newPerson()
    // broken and lost pixels, which the server refuses; its own message about maps without references
    forgive(
      /status of 406/,
      /XMLHttpRequest|Couldn't retrieve|ReferencedSeriesSequence|request failed/,
      /page error: $/,
    )
    const uuid = await sendStudy(server().address, makeHardStudy('HARD^FULL'))
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    const full = await openFullViewer(frame)
    await expect.poll(async () => (await readPicture(full)).coloured, SOON).toBeGreaterThan(500)

    const darkHalf = async () => (await readPicture(full)).lit
    await openSeries(full, 'Overlay in the pixels')
    // taken for values, the overlay would be one white bar on black
    await expect.poll(darkHalf, SOON).toBeGreaterThan(1200)
    expect((await readPicture(full)).glaring).toBeLessThan(200)

    await openSeries(full, 'Map')
    await expect.poll(darkHalf, SOON).toBeGreaterThan(1200)
    expect((await readPicture(full)).glaring).toBeLessThan(200)

    // one window for all slices: each is brighter than the one before, and the first is not black and white
    await openSeries(full, 'Slices')
    await full.getByText('W:', { exact: false }).first().waitFor()
    const firstWindow = await full.locator('[data-cy=viewport-overlay-bottom-left]').first().innerText()
    await full.locator('[data-cy=viewport-grid]').press('End')
    expect(await full.locator('[data-cy=viewport-overlay-bottom-left]').first().innerText()).toBe(firstWindow)

    await openSeries(full, 'Broken')
    await expect.poll(async () => (await readPicture(full)).lit, SOON).toBeGreaterThan(20)
    expect(await full.getByText('A part of the viewer has stopped').count()).toBe(0)

    await page.keyboard.press('Escape')
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await frame.locator('.picture-area').waitFor()
  })
})

it('lists the other exams of the patient in the full viewer, and opens one of them', async () => {
  const { page } = await newPerson()
  const { address } = server()
  await sendStudy(address, [makePlainExam('20240105', 'First visit')])
  await sendStudy(address, [makePlainExam('20250606', 'Second visit')])
  const uuid = await sendStudy(address, [makePlainExam('20260707', 'Third visit')])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await frame.getByLabel('Compare with…').waitFor()
  const full = await openFullViewer(frame)
  for (const name of ['First visit', 'Second visit', 'Third visit'])
    await full.getByText(name, { exact: true }).waitFor()
  await full.getByText('First visit', { exact: true }).click()
  await openSeries(full, 'Picture of First visit')
})
