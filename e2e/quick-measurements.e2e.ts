import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShot, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { openFullViewer, openViewer, sendStudy, waitForFullViewer } from './support/viewed-study.ts'
import { makePlainExam } from './support/viewer-objects.ts'
import { waitForPicture } from './support/viewer-stand.ts'

const { newPerson, server } = useSystem()

async function measure(page: Page, frame: Frame, down: number): Promise<void> {
  await waitForPicture(frame)
  await frame.getByRole('button', { name: 'Length', exact: true }).click()
  const box = await frame.locator('.picture-area').boundingBox()
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2 + down]
  await page.mouse.move(x - 80, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 10, { steps: 4 })
  await page.mouse.move(x + 80, y + 20, { steps: 4 })
  await page.mouse.up()
}

/** The lengths that stand beside the lines of the quick viewer, as their texts say. */
async function lengthsIn(frame: Frame): Promise<number[]> {
  const texts = await frame
    .locator('.picture-area svg')
    .getByText(/^\d+(\.\d+)? /)
    .allTextContents()
  return texts.map(Number.parseFloat)
}

/** Whether each of the lengths stands over the full viewer's images, however it is rounded. */
async function showsLengths(full: Frame, lengths: readonly number[]): Promise<boolean> {
  const texts = await full.locator('[data-cy=viewport-grid] svg tspan').allTextContents()
  const numbers = texts.flatMap((text) => text.match(/\d+(\.\d+)?/g) ?? []).map(Number)
  return lengths.every((length) => numbers.some((number) => Math.abs(number - length) < 0.1))
}

it('keeps lengths with the study as a report, which stands in Reports and in the full viewer', async () => {
  const { page } = await newPerson()
  const uuid = await sendStudy(server().address, [makePlainExam('20260811', 'Measured quickly')])
  await signIn(page, 'staff')
  const frame = await openViewer(page, uuid)
  await measure(page, frame, -60)
  await frame.getByRole('button', { name: 'Keep the length' }).waitFor()
  await measure(page, frame, 60)
  const keep = frame.getByRole('button', { name: 'Keep 2 lengths' })
  await keep.waitFor()
  await measure(page, frame, 0)
  await frame.getByRole('button', { name: 'Keep 3 lengths' }).waitFor()
  await page.keyboard.press('Delete')
  await keep.waitFor()
  await takeShots(page, 'quick-lengths')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByText(/^2 lengths measured here are not kept/).waitFor()
  await takeShots(page, 'quick-lengths-left')
  await page.getByRole('button', { name: 'Stay' }).click()
  await keep.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keep.click()
  await frame.getByText('2 lengths are kept with the study, in a report of measurements.').waitFor()
  await keep.waitFor({ state: 'hidden' })
  expect(await findBarriers(frame)).toEqual([])
  const lengths = await lengthsIn(frame)
  expect(lengths).toHaveLength(2)
  await takeShots(page, 'quick-lengths-kept')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor()

  await page.goto(`/group/list?study=${uuid}&tab=reports`)
  const reports = page.getByRole('region', { name: 'Reports' }).or(page.locator('main'))
  await reports.getByText('Measurements').first().waitFor()
  await reports.getByText('Imaging Measurement Report').first().waitFor()
  await takeShots(page, 'quick-lengths-report')

  await waitForFullViewer(server().address)
  const full = await openFullViewer(await openViewer(page, uuid))
  const report = full.locator('[data-cy^=study-browser-thumbnail]').filter({ hasText: 'Measurements' }).first()
  // a press comes to nothing while the series are being listed
  const isDrawn = async () => {
    await report.dblclick()
    for (let look = 0; look < 60; look++) {
      if (await showsLengths(full, lengths)) return true
      await page.waitForTimeout(500)
    }
    return false
  }
  await expect.poll(isDrawn, { timeout: 120_000 }).toBe(true)
  await takeShot(page, 'full-lengths-of-quick')
})

it('offers nobody to keep lengths who may not upload', async () => {
  const { page } = await newPerson()
  const uuid = await sendStudy(server().address, [makePlainExam('20260812', 'Measured by a reader')])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await measure(page, frame, 0)
  // comes when the button to keep it would come
  await frame.getByRole('button', { name: /^Take off \d/ }).waitFor()
  expect(await frame.getByRole('button', { name: /^Keep/ }).count()).toBe(0)
})

it('measures millimetres of an image with a spacing and no place in the patient, and takes a length off again', async () => {
  const { page } = await newPerson()
  const spacing = { tag: 0x00280030, vr: 'DS', value: '0.5\\0.5' }
  const uuid = await sendStudy(server().address, [makePlainExam('20260813', 'Measured by its spacing', [spacing])])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await measure(page, frame, 0)
  const off = frame.getByRole('button', { name: /^Take off \d[\d.]* mm$/ })
  await off.click()
  await off.waitFor({ state: 'hidden' })
  const texts = frame.locator('.picture-area svg').getByText(/^\d+(\.\d+)? mm$/)
  await expect.poll(() => texts.count()).toBe(0)
})

it('measures by keys alone: arrows move the ends, Enter sets them, Escape takes a line with one end off', async () => {
  const { page } = await newPerson()
  const spacing = { tag: 0x00280030, vr: 'DS', value: '0.5\\0.5' }
  const uuid = await sendStudy(server().address, [makePlainExam('20260814', 'Measured by keys', [spacing])])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await waitForPicture(frame)
  await frame.locator('.picture-area').focus()
  const press = async (key: string, times = 1) => {
    for (let time = 0; time < times; time++) await page.keyboard.press(key)
  }
  const drawn = frame.locator('.picture-area svg').getByText(/^\d+(\.\d+)? mm$/)
  await press('m')
  await frame.getByText(/^Arrow keys move the cross/).waitFor()
  await press('ArrowLeft', 4)
  await press('Enter')
  await frame.getByText(/^Arrow keys move the second end/).waitFor()
  expect(await findBarriers(frame)).toEqual([])
  await press('ArrowRight', 8)
  await drawn.waitFor()
  await takeShot(page, 'quick-length-by-keys')
  expect(await findBarriers(page)).toEqual([])
  await press('Escape')
  await expect.poll(() => drawn.count()).toBe(0)
  expect(await frame.getByRole('button', { name: /^Take off/ }).count()).toBe(0)

  /** The length of a line so many presses of an arrow long. */
  const measureBy = async (presses: number, key: string) => {
    await press('m')
    await press('Enter')
    await press(key, presses)
    await press('Enter')
    await frame.getByRole('button', { name: /^Take off \d[\d.]* mm$/ }).waitFor()
    const length = (await lengthsIn(frame))[0] ?? 0
    await press('Delete')
    await expect.poll(() => drawn.count()).toBe(0)
    return length
  }
  const eight = await measureBy(8, 'ArrowRight')
  expect(eight).toBeGreaterThan(0)
  expect((await measureBy(16, 'ArrowDown')) / eight).toBeCloseTo(2, 1)
  expect((await measureBy(8, 'Shift+ArrowRight')) / eight).toBeCloseTo(1 / 8, 1)
})
