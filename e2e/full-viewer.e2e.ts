/// <reference lib="dom" />
import type { Frame, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeMarkedStudy, SHUTTER_GREY } from './support/marked-study.ts'
import { coveredPlaneAt, expectedPlanes, ownPlaneAt, readPlanes } from './support/read-planes.ts'
import { makeSegmentedStudy, segmentColumns } from './support/segmented-study.ts'
import { takeShot } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { openFullViewer, openViewer, sendStudy, waitForFullViewer } from './support/viewed-study.ts'
import { makeHardStudy, countedAsSuv, makePetStudy, makePlainExam, negativeFilm } from './support/viewer-objects.ts'
import { readGreys, readPicture, SOON } from './support/viewer-stand.ts'

const { newPerson, server } = useSystem()

beforeAll(() => waitForFullViewer(server().address))

const SLOW = { timeout: 60_000 }

const thumbnails = (full: Frame) => full.locator('[data-cy^=study-browser-thumbnail]')

/** Waits until the first place shows this series. */
async function openSeries(full: Frame, name: string): Promise<void> {
  await thumbnails(full).filter({ hasText: name }).first().dblclick()
  await full.locator('[data-cy=viewport-grid]').getByText(name, { exact: true }).waitFor()
}

/** How an image is drawn that is brighter from left to right. */
async function sidesOf(viewer: Frame): Promise<'dark on light' | 'bright on dark' | 'nothing'> {
  const row = (await readGreys(viewer, 4)).slice(4, 8)
  const rise = (row[3] ?? 0) - (row[0] ?? 0)
  if (Math.abs(rise) < 60) return 'nothing'
  return rise > 0 ? 'bright on dark' : 'dark on light'
}

/** Waits until a viewer has drawn what was asked of it. */
async function settle(viewer: Frame): Promise<void> {
  await viewer.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
}

/** Waits until nothing lies over the images, and looks again after the viewer has drawn once more. */
async function expectBare(full: Frame): Promise<void> {
  const count = () => full.locator('canvas.overlays:visible').count()
  await expect.poll(count, SOON).toBe(0)
  await settle(full)
  expect(await count()).toBe(0)
}

/** Puts the view of the first place back, as OHIF's own tool does. */
async function resetView(full: Frame): Promise<void> {
  await full.locator('[data-cy=viewport-grid] canvas').first().hover()
  await full.locator('[data-cy=viewport-grid]').press('Space')
}

/** Whether the first place shows its image mirrored. */
function isMirrored(full: Frame): Promise<boolean> {
  return full.evaluate(() => {
    const place = document.querySelector<HTMLDivElement>('.hilum-layers')?.parentElement as HTMLDivElement | null
    const known = (window as unknown as { cornerstone?: Library }).cornerstone
    return (place && known?.getEnabledElement(place)?.viewport.getViewPresentation().flipHorizontal) === true
  })
}

type Library = {
  getEnabledElement: (
    element: HTMLDivElement,
  ) => { viewport: { getViewPresentation: () => { flipHorizontal?: boolean } } } | undefined
}

describe('the full viewer, before objects that are hard to draw', () => {
  it('shows each in the window of its series, or says in words why not, and Escape closes it', async () => {
    const { page, forgive } = await newPerson({ loadsAhead: true })
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

describe('the full viewer, before what lies over an image', () => {
  const openStudy = async (files: Uint8Array<ArrayBuffer>[]) => {
    const { page, forgive } = await newPerson({ loadsAhead: true })
    const uuid = await sendStudy(server().address, files)
    await signIn(page, 'viewer')
    const frame = await openViewer(page, uuid)
    return { page, forgive, frame, full: await openFullViewer(frame) }
  }

  it('draws each bit of every plane on its pixel, and what the chosen presentation covers and adds', async () => {
    const { page, frame, full } = await openStudy(makeMarkedStudy('PLANES^FULL'))
    await openSeries(full, 'Planes')
    await expect.poll(() => readPlanes(full), SOON).toEqual(expectedPlanes(ownPlaneAt))
    await takeShot(page, 'full-planes')
    await frame.getByRole('combobox', { name: 'Presentation' }).selectOption({ label: 'COVERED' })
    await expect.poll(() => readPlanes(full), SOON).toEqual(expectedPlanes(coveredPlaneAt(SHUTTER_GREY)))
    await expect.poll(() => isMirrored(full), SOON).toBe(true)
    await takeShot(page, 'full-planes-covered')
    await resetView(full)
    await expect.poll(() => isMirrored(full), SOON).toBe(true)
    await expect.poll(() => readPlanes(full), SOON).toEqual(expectedPlanes(coveredPlaneAt(SHUTTER_GREY)))
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await expectBare(full)
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await frame.getByRole('combobox', { name: 'Presentation' }).selectOption('As stored')
    await expect.poll(() => isMirrored(full), SOON).toBe(false)
    await expect.poll(() => readPlanes(full), SOON).toEqual(expectedPlanes(ownPlaneAt))
    await openSeries(full, 'Table without entries')
    await frame.getByText('The table of grey values of this image could not be used', { exact: false }).waitFor()
    await expectBare(full)
  })

  it('draws bits of an overlay inside the pixels, which are no values', async () => {
    const { frame, full, forgive } = await openStudy(makeHardStudy('PIXELS^FULL'))
    forgive(
      /status of 406/,
      /XMLHttpRequest|Couldn't retrieve|ReferencedSeriesSequence|request failed/,
      /page error: $/,
    )
    await openSeries(full, 'Overlay in the pixels')
    const drawn = full.locator('canvas.overlays:visible')
    await drawn.waitFor()
    const setInRows = async () => (await readPlanes(full)).map((row) => row.filter((grey) => grey === 255).length)
    await expect.poll(setInRows, SOON).toEqual(Array.from({ length: 64 }, (_, row) => (row >= 32 && row < 36 ? 64 : 0)))
    await expect.poll(async () => (await readPicture(full)).glaring, SOON).toBeLessThan(200)
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await expectBare(full)
  })

  it('draws label maps and shares of segments where they lie, and names them', async () => {
    const { page, frame, full, forgive } = await openStudy(makeSegmentedStudy('LABELS^FULL'))
    forgive(/[Ss]egmentation/)
    await openSeries(full, 'Slice')
    await full.getByText('Spleen').waitFor()
    await expect.poll(() => full.locator('.legend').allInnerTexts(), SOON).toEqual(['Liver\nSpleen\nLesion'])
    const { first, second, shares } = segmentColumns
    const readColumns = () =>
      full.evaluate(() => {
        const drawn = [...document.querySelectorAll('canvas')].find((one) => one.matches('.overlays:not([hidden])'))
        const { data, width } = drawn?.getContext('2d')?.getImageData(0, 16, drawn.width, 1) ?? { data: [], width: 0 }
        return Array.from({ length: width }, (_, at) =>
          Array.from({ length: 4 }, (_part, part) => data[at * 4 + part] ?? 0),
        )
      })
    const covered = [first, second, shares].flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, at) => from + at),
    )
    let columns: number[][] = []
    const alpha = (column: number) => columns[column]?.[3] ?? 0
    // the place may take its series a second time and draw anew
    await expect
      .poll(async () => {
        columns = await readColumns()
        return columns.flatMap((_, at) => (alpha(at) > 0 ? [at] : []))
      }, SOON)
      .toEqual(covered)
    expect(columns[first[0]]?.slice(0, 3)).not.toEqual(columns[second[0]]?.slice(0, 3))
    expect(alpha(shares[0])).toBeLessThan(alpha(shares[1] - 1))
    await takeShot(page, 'full-segments')
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await expectBare(full)
    await expect.poll(() => full.locator('.legend').innerText(), SOON).toBe('')
  })
})

it('names series and sides as the quick viewer does, and shows PET dark on light until somebody inverts it', async () => {
  const { page } = await newPerson({ loadsAhead: true })
  const uuid = await sendStudy(server().address, makePetStudy())
  await signIn(page, 'viewer')
  const full = await openFullViewer(await openViewer(page, uuid))
  const names = () => full.locator('[data-cy=series-description-label]').allInnerTexts()
  await expect.poll(names, SOON).toEqual(['CR', 'Series 100'])
  const letters = () => full.locator('.orientation-marker:visible').allInnerTexts()
  const sides = () => sidesOf(full)

  await thumbnails(full).filter({ hasText: 'Series 100' }).dblclick()
  await expect.poll(letters, SOON).toEqual(['A', 'R', 'L', 'P'])
  await expect.poll(sides, SOON).toBe('dark on light')
  const listed = thumbnails(full).filter({ hasText: 'Series 100' }).locator('img')
  expect(await listed.evaluate((image) => getComputedStyle(image).filter)).toBe('invert(1)')
  await takeShot(page, 'full-pet')
  await full.locator('[data-cy=viewport-grid]').press('i')
  await expect.poll(sides, SOON).toBe('bright on dark')
  await resetView(full)
  await expect.poll(sides, SOON).toBe('dark on light')

  await thumbnails(full).filter({ hasText: 'CR' }).dblclick()
  await expect.poll(letters, SOON).toEqual(['H', 'P', 'A', 'F'])
  await expect.poll(sides, SOON).toBe('bright on dark')
  await takeShot(page, 'full-film')
})

it('shows three planes of PET dark on light and in a window of its values, also where they count as SUV', async () => {
  const { page } = await newPerson({ loadsAhead: true })
  const uuid = await sendStudy(server().address, makePetStudy(countedAsSuv))
  await signIn(page, 'viewer')
  const full = await openFullViewer(await openViewer(page, uuid))
  await thumbnails(full).filter({ hasText: 'Series 100' }).dblclick()
  await expect.poll(() => sidesOf(full), SOON).toBe('dark on light')
  await full.locator('[data-cy=Layout]').click()
  await full.getByText('MPR', { exact: true }).click()
  await expect.poll(() => full.locator('canvas.cornerstone-canvas').count(), SOON).toBe(3)
  await takeShot(page, 'full-pet-planes')
  await expect.poll(() => sidesOf(full), SOON).toBe('dark on light')
})

it('shows a film that stores bright as dark as what it shows, also when the view is put back, in both viewers', async () => {
  const { page } = await newPerson({ loadsAhead: true })
  const uuid = await sendStudy(server().address, [makePlainExam('20260405', 'Negative', [], negativeFilm)])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await expect.poll(() => sidesOf(frame), SOON).toBe('bright on dark')
  await frame.getByRole('button', { name: 'Reset', exact: true }).click()
  await settle(frame)
  expect(await sidesOf(frame)).toBe('bright on dark')
  const full = await openFullViewer(frame)
  await expect.poll(() => sidesOf(full), SOON).toBe('bright on dark')
  await resetView(full)
  await settle(full)
  expect(await sidesOf(full)).toBe('bright on dark')
})

it('lists the other exams of the patient in the full viewer, and opens one of them', async () => {
  const { page } = await newPerson({ loadsAhead: true })
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

it('is started unseen while somebody looks at images, without their study, and shows it without a new start', async () => {
  const { page } = await newPerson({ loadsAhead: true })
  const uuid = await sendStudy(server().address, [makePlainExam('20260101', 'Looked at')])
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  const standing = await (
    await frame.waitForSelector('.stand-by iframe', { state: 'attached', ...SLOW })
  ).contentFrame()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.frame() === standing && request.url().includes('/dicomweb/')) asked.push(request.url())
  })
  await standing?.waitForFunction(() => 'cornerstone' in window, undefined, SLOW)
  await standing?.evaluate(() => Object.assign(window, { isFirstStart: true }))
  expect(asked).toEqual([])
  expect(await page.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0)
  const full = await openFullViewer(frame)
  await expect.poll(async () => (await readPicture(full)).lit, SOON).toBeGreaterThan(200)
  expect(await full.evaluate(() => 'isFirstStart' in window)).toBe(true)
  expect(asked.length).toBeGreaterThan(0)
  await full.getByRole('button', { name: 'Close', exact: true }).click()
  await frame.locator('.picture-area').waitFor()
  // one frame at a time
  await frame.waitForSelector('.stand-by iframe', { state: 'attached', ...SLOW })
  expect(await frame.locator('iframe').count()).toBe(1)
})

it.each([
  ['the connection broke', '**/viewer/viewer', (route: Route) => route.abort('internetdisconnected')],
  [
    'a proxy answered in its place',
    '**/viewer/viewer',
    (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  ],
  [
    'a part of it failed to load',
    /\/viewer\/app\.bundle\.[^/]+\.js$/,
    (route: Route) => route.abort('connectionreset'),
  ],
])('opens a study also where %s while it stood by, and Close and Back lead out meanwhile', async (_name, at, spoil) => {
  const { page, forgive } = await newPerson({ loadsAhead: true })
  forgive(/Failed to load resource/, /Refused to display|chrome-error/)
  const uuid = await sendStudy(server().address, [makePlainExam('20260102', 'Cut off')])
  await signIn(page, 'viewer')
  const spoilt: string[] = []
  const spoilEach = (route: Route) => {
    spoilt.push(route.request().url())
    return spoil(route)
  }
  await page.route(at, spoilEach)
  // no other address of the full viewer comes through either
  await page.route('**/viewer/viewer?*', spoilEach)
  const frame = await openViewer(page, uuid)
  await frame.waitForSelector('.stand-by iframe', { state: 'attached', ...SLOW })
  await expect.poll(() => spoilt.length, SOON).toBeGreaterThan(0)

  const fullScreen = frame.getByRole('button', { name: 'Full screen' })
  const waysOut = [
    () => frame.getByRole('button', { name: 'Close viewer' }).click(),
    () => frame.evaluate(() => history.back()),
  ]
  for (const goOut of waysOut) {
    const before = spoilt.length
    await fullScreen.click()
    await frame.getByText('Opening the full viewer', { exact: false }).waitFor()
    await expect.poll(() => spoilt.length, SOON).toBeGreaterThan(before)
    await goOut()
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await frame.locator('.picture-area').waitFor()
    expect(page.url()).toContain(uuid)
    // another viewer stands by; going back alone may ask for the first one anew
    await frame.waitForSelector('.stand-by iframe', { state: 'attached', ...SLOW })
    await expect.poll(() => spoilt.length, SOON).toBeGreaterThan(before + 1)
  }

  await page.unrouteAll({ behavior: 'wait' })
  const full = await openFullViewer(frame)
  await expect.poll(async () => (await readPicture(full)).lit, SOON).toBeGreaterThan(200)
  await full.getByRole('button', { name: 'Close', exact: true }).click()
  await frame.locator('.picture-area').waitFor()
})

describe('measurements in the full viewer', () => {
  async function measure(page: Page, full: Frame): Promise<void> {
    await full.locator('[data-cy=viewport-overlay-top-left]').first().waitFor()
    await expect.poll(async () => (await readPicture(full)).lit, SOON).toBeGreaterThan(500)
    await full.locator('[data-cy=MeasurementTools-split-button-primary]').click()
    const box = await full.locator('[data-cy=viewport-grid]').boundingBox()
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
    await page.mouse.move(x - 100, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 20, { steps: 4 })
    await page.mouse.move(x + 80, y + 40, { steps: 4 })
    await page.mouse.up()
    await full.locator('[data-cy=trackedMeasurements-btn]').click()
    await full.getByText('CSV', { exact: true }).waitFor()
    expect(await full.locator('[data-cy=data-row-title]').allInnerTexts()).toEqual(['Length'])
  }

  it('are kept with the study as a structured report, which stands in Reports and in the viewer again', async () => {
    const { page } = await newPerson({ loadsAhead: true })
    const uuid = await sendStudy(server().address, [makePlainExam('20260808', 'To be measured')])
    await signIn(page, 'staff')
    let frame = await openViewer(page, uuid)
    let full = await openFullViewer(frame)
    await measure(page, full)
    await full.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = full.getByRole('dialog')
    await dialog.getByPlaceholder('Report name').fill('Length of the ramp')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await full.getByText('Measurements were saved with the study.', { exact: false }).waitFor()
    await full.getByRole('button', { name: 'Close', exact: true }).click()
    await frame.waitForSelector('.full-frame', { state: 'detached' })

    await page.goto(`/group/list?study=${uuid}&tab=reports`)
    await page.getByRole('row', { name: /Length of the ramp/ }).waitFor()
    frame = await openViewer(page, uuid)
    full = await openFullViewer(frame)
    await full.getByText('Length of the ramp').first().waitFor()
  })

  it('are not offered to be kept by who may not upload', async () => {
    const { page } = await newPerson({ loadsAhead: true })
    const uuid = await sendStudy(server().address, [makePlainExam('20260809', 'To be seen')])
    await signIn(page, 'viewer')
    const full = await openFullViewer(await openViewer(page, uuid))
    await measure(page, full)
    expect(await full.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  })
})
