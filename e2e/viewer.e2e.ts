/// <reference lib="dom" />
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Frame, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { corpus, readGreys, readPicture, SOON, useViewer, waitForPicture } from './support/viewer-stand.ts'

const JUNK_TYPE = 'multipart/related; type="application/octet-stream"; boundary=part'
const JUNK_FRAME =
  '--part\r\nContent-Type: application/octet-stream; transfer-syntax=1.2.840.10008.1.2.4.90\r\n\r\nno pixels\r\n--part--\r\n'

const viewer = useViewer()

/** Mean greys of a square image as DCMTK shows it by a presentation state, as `readGreys` gives those of the screen. */
async function drawByDcmtk(image: string, state: string, side: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-pgm-'))
  try {
    const drawn = join(folder, 'drawn.pgm')
    await promisify(execFile)('dcmp2pgm', ['-p', join(corpus ?? '', state), join(corpus ?? '', image), drawn])
    const bytes = await readFile(drawn)
    const [, head = '', columns, rows] =
      /^(P5\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+255\s)/.exec(bytes.toString('latin1', 0, 200)) ?? []
    const [width, height] = [Number(columns), Number(rows)]
    const greys = bytes.subarray(head.length)
    const [across, down] = [width / side, height / side]
    return Array.from({ length: side * side }, (_, at) => {
      const [left, top] = [(at % side) * across, Math.floor(at / side) * down]
      let sum = 0
      for (let y = 0; y < down; y++) for (let x = 0; x < across; x++) sum += greys[(top + y) * width + left + x] ?? 0
      return sum / (across * down)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** How far two pictures are the same, 1 at most: the correlation of their greys. */
function likeness(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [a, b] = [mean(one), mean(other)]
  const together = one.reduce((sum, value, at) => sum + (value - a) * ((other[at] ?? 0) - b), 0)
  const spread = (values: readonly number[], middle: number) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0))
  return together / (spread(one, a) * spread(other, b))
}

const placeText = (frame: Frame) => frame.locator('.place').innerText()

describe.skipIf(corpus === undefined)('the quick viewer', () => {
  it.each([
    ['CT', 'studies/ct-head-phantom-visit1'],
    ['MR', 'studies/mr-head-janedoe-2013'],
    ['mammography', 'studies/mg-screening'],
    ['X-ray angiography in 75 frames', 'studies/xa-cath'],
    ['PET', 'studies/pet-headneck-seg'],
    ['enhanced MR', 'studies/mr-enhanced-multiframe-spectro'],
    ['big endian', 'transfer-syntaxes/1.2.2_big-endian_CT1.dcm'],
    ['deflated', 'transfer-syntaxes/1.2.1.99_deflated_CT1.dcm'],
    ['RLE', 'transfer-syntaxes/1.2.5_rle_MR1.dcm'],
    ['JPEG 12 bit', 'transfer-syntaxes/4.51_jpeg-extended-12bit_MR1.dcm'],
    ['JPEG lossless', 'transfer-syntaxes/4.57_jpeg-lossless-p14_CT.dcm'],
    ['JPEG lossless, first order', 'transfer-syntaxes/4.70_jpeg-lossless-sv1_CT1.dcm'],
    ['JPEG-LS', 'transfer-syntaxes/4.80_jpeg-ls-lossless_CT1.dcm'],
    ['JPEG-LS near lossless', 'transfer-syntaxes/4.81_jpeg-ls-near_CT1.dcm'],
    ['JPEG 2000', 'transfer-syntaxes/4.90_j2k-lossless_CT1.dcm'],
    ['JPEG 2000 lossy', 'transfer-syntaxes/4.91_j2k-lossy_CT1.dcm'],
    ['HTJ2K', 'transfer-syntaxes/4.201_htj2k-lossless_CT1.dcm'],
  ])('[PANEL-08] paints %s', async (_kind, place) => {
    const frame = await viewer.open(place)
    await frame.waitForSelector('.screen[data-state=image]', { timeout: 45_000 })
    const painted = await waitForPicture(frame)
    expect(painted.coloured).toBe(0)
    expect(viewer.faults).toEqual([])
  })

  it.each([
    ['raw big endian', 'transfer-syntaxes/1.2.2_big-endian_US-rgb.dcm'],
    ['RLE', 'transfer-syntaxes/1.2.5_rle_US1-rgb.dcm'],
    ['JPEG', 'transfer-syntaxes/4.50_jpeg-baseline_SC-rgb.dcm'],
    ['JPEG in YBR, multi-frame', 'transfer-syntaxes/4.50_jpeg-baseline_US-multiframe-ybr.dcm'],
    ['JPEG 2000', 'transfer-syntaxes/4.90_j2k-lossless_US1-rgb.dcm'],
    ['HTJ2K', 'transfer-syntaxes/4.201_htj2k-lossless_US1-rgb.dcm'],
  ])('paints colour in %s as colour', async (_kind, place) => {
    const painted = await waitForPicture(await viewer.open(place))
    expect(painted.coloured).toBeGreaterThan(0)
    expect(viewer.faults).toEqual([])
  })

  it('opens a mammogram, whose window names its function, in that window and not in black and white', async () => {
    const frame = await viewer.open('studies/mg-screening')
    const { glaring, lit } = await waitForPicture(frame)
    expect(await frame.locator('.window').innerText()).toMatch(/W 900 +L 2653/)
    expect(glaring).toBeLessThan(lit / 4)
    expect(viewer.faults).toEqual([])
  })

  it('opens PET at its middle, dark on light until somebody inverts it, and again when all is put back', async () => {
    const frame = await viewer.open('studies/pet-headneck-seg')
    await waitForPicture(frame)
    expect(await placeText(frame)).toBe('Image 150 of 299')
    const isLight = async () => {
      const { glaring, lit } = await readPicture(frame)
      return glaring > lit / 2
    }
    await expect.poll(isLight, SOON).toBe(true)
    await frame.getByRole('button', { name: 'Invert', exact: true }).click()
    await expect.poll(isLight, SOON).toBe(false)
    await frame.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.poll(isLight, SOON).toBe(true)
    expect(viewer.faults).toEqual([])
  })

  it('[PANEL-08] takes the sid out of the address that is shown, and sends it in a header only', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1')
    await waitForPicture(frame)
    expect(frame.url()).not.toContain(viewer.sid)
    expect(viewer.asksWithSid).toHaveLength(1)
  })

  it('walks a series by wheel and keys, and says where it is', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1')
    await waitForPicture(frame)
    await frame.getByRole('button', { name: 'STD BRAIN 5MM' }).click()
    await expect.poll(() => placeText(frame), SOON).toBe('Image 1 of 28')
    const first = await waitForPicture(frame)
    await frame.locator('.picture-area').focus()
    for (const [key, place] of [
      ['ArrowDown', 2],
      ['PageDown', 12],
      ['ArrowUp', 11],
      ['End', 28],
      ['ArrowRight', 28],
      ['PageUp', 18],
      ['Home', 1],
    ] as const) {
      await viewer.page.keyboard.press(key)
      await expect.poll(() => placeText(frame), SOON).toBe(`Image ${place} of 28`)
    }
    await viewer.page.keyboard.press('Tab')
    expect(await frame.evaluate(() => document.activeElement?.matches('.slider'))).toBe(true)
    await frame.locator('.picture-area').hover()
    await viewer.page.mouse.wheel(0, 100)
    await expect.poll(() => placeText(frame), SOON).toBe('Image 2 of 28')
    await viewer.page.keyboard.press('End')
    await expect.poll(async () => (await readPicture(frame)).print, SOON).not.toBe(first.print)
    expect(viewer.faults).toEqual([])
  })

  it('changes the window by preset and by drag, zooms, and goes back', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1')
    await waitForPicture(frame)
    const windowText = () => frame.locator('.window').innerText()
    await frame.getByLabel('Windows').waitFor()
    const stored = await windowText()
    await frame.getByLabel('Windows').selectOption({ label: 'Lung (W 1500  L -600)' })
    await expect.poll(windowText, SOON).toMatch(/W 1500 +L -600/)
    const area = await frame.locator('.picture-area').boundingBox()
    if (area === null) throw new Error('the picture has no place')
    await viewer.page.mouse.move(area.x + 200, area.y + 200)
    await viewer.page.mouse.down()
    await viewer.page.mouse.move(area.x + 260, area.y + 230, { steps: 5 })
    await viewer.page.mouse.up()
    await expect.poll(windowText, SOON).not.toMatch(/W 1500 +L -600/)
    await frame.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(windowText, SOON).toBe(stored)
    const before = await readPicture(frame)
    await viewer.page.keyboard.press('+')
    await expect.poll(async () => (await readPicture(frame)).print, SOON).not.toBe(before.print)
    expect(viewer.faults).toEqual([])
  })

  it('measures a length in millimetres', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1')
    await waitForPicture(frame)
    await frame.getByRole('button', { name: 'Length' }).click()
    const area = await frame.locator('.picture-area').boundingBox()
    if (area === null) throw new Error('the picture has no place')
    await viewer.page.mouse.move(area.x + 200, area.y + 250)
    await viewer.page.mouse.down()
    await viewer.page.mouse.move(area.x + 400, area.y + 300, { steps: 5 })
    await viewer.page.mouse.up()
    await expect
      .poll(() => frame.locator('.picture-area svg:not(.annotations)').textContent(), SOON)
      .toMatch(/\d+(\.\d+)? mm/)
    expect(viewer.faults).toEqual([])
  })

  it('plays a clip in itself and leaps to the next', async () => {
    const frame = await viewer.open('studies/us-stress-echo')
    await waitForPicture(frame)
    expect(await placeText(frame)).toMatch(/^Clip 1 of 24 .* Image 1 of 10$/)
    await frame.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => placeText(frame), SOON).toMatch(/Image [2-9] of 10$/)
    await frame.getByRole('button', { name: 'Pause' }).click()
    expect(await placeText(frame)).toMatch(/^Clip 1 of 24/)
    await viewer.page.keyboard.press('PageDown')
    await expect.poll(() => placeText(frame), SOON).toMatch(/^Clip 2 of 24/)
    expect(viewer.faults).toEqual([])
  })

  it('plays a clip and stands still again by keys alone', async () => {
    const frame = await viewer.open('studies/us-stress-echo')
    await waitForPicture(frame)
    await frame.getByRole('group', { name: /^Image area/ }).focus()
    await viewer.page.keyboard.press('Space')
    await frame.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(() => placeText(frame), SOON).toMatch(/Image [2-9] of 10$/)
    await viewer.page.keyboard.press('Space')
    await frame.getByRole('button', { name: 'Play' }).waitFor()
    await viewer.page.keyboard.press('Home')
    await expect.poll(() => placeText(frame), SOON).toMatch(/^Clip 1 of 24 .* Image 1 of 10$/)
    expect(viewer.faults).toEqual([])
  })

  it('names the patient, and says what has no picture', async () => {
    const frame = await viewer.open('studies/ct-with-sr-seg-pr-ko-pdf')
    await waitForPicture(frame)
    expect(await frame.locator('.banner').innerText()).toMatch(/COMPRESSEDSAMPLES, CT1[^]*19 Jan 2004/)
    expect(await frame.locator('.notice').innerText()).toBe('For review and exchange, not for primary diagnosis')
    await frame.getByRole('button', { name: 'Outside report (PDF)' }).click()
    await expect
      .poll(() => frame.locator('.screen .words').innerText(), SOON)
      .toBe('Nothing to draw here: a PDF document.')
  })

  it('draws the structures of a radiotherapy study on its CT, by name and colour, and says what its plan is', async () => {
    const frame = await viewer.open('studies/rt-breast')
    await waitForPicture(frame)
    const plan = frame.locator('.tile', { hasText: 'RTPLAN' })
    await plan.click()
    await expect.poll(() => frame.locator('.screen > .words').innerText(), SOON).toContain('radiotherapy plan')
    await frame.locator('.tile', { hasText: 'RTSTRUCT' }).click()
    await expect.poll(() => frame.locator('.legend li').allInnerTexts(), SOON).toContain('BODY')
    const lines = frame.locator('.annotations .line')
    const colours = () => lines.evaluateAll((all) => all.map((one) => getComputedStyle(one).stroke))
    await expect.poll(colours, SOON).toContain('rgb(154, 155, 100)')
    // around the patient, and not beyond the image
    const around = () => lines.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().width)))
    const picture = await frame.locator('.picture-area').boundingBox()
    expect(await around()).toBeGreaterThan(100)
    expect(await around()).toBeLessThan(picture?.width ?? 0)
    // of the side of the square image as it fits its place
    const share = async () => {
      const place = await frame.locator('.picture-area').boundingBox()
      return (await around()) / Math.min(place?.width ?? 0, place?.height ?? 0)
    }
    const shareBefore = await share()
    const canvas = frame.locator('canvas.cornerstone-canvas')
    const stretched = () =>
      canvas.evaluate((one: HTMLCanvasElement) => [one.width - one.clientWidth, one.height - one.clientHeight])
    for (const [width, height] of [
      [760, 420],
      [1200, 900],
    ] as const) {
      await viewer.page.setViewportSize({ width, height })
      await expect.poll(stretched, SOON).toEqual([0, 0])
      await expect.poll(async () => Math.abs((await share()) - shareBefore), SOON).toBeLessThan(0.02)
    }
    await frame.getByRole('button', { name: 'Overlays' }).click()
    await expect.poll(() => lines.first().isVisible()).toBe(false)
    expect(viewer.faults).toEqual([])
  })

  it('leads from key notes, presentation states and segmentations to the images they are about, and draws them there', async () => {
    const frame = await viewer.open('studies/ct-with-sr-seg-pr-ko-pdf')
    const stored = await waitForPicture(frame)
    await frame.getByRole('img', { name: '1 key image' }).waitFor()
    await expect.poll(() => frame.locator('.remarks').innerText(), SOON).toBe('Key image  ·  For Referring Provider')
    const keyOnly = frame.getByRole('button', { name: 'Key images only (1)' })
    await frame.locator('.tile', { hasText: 'KO' }).click()
    await expect.poll(() => keyOnly.getAttribute('aria-pressed'), SOON).toBe('true')
    await viewer.page.keyboard.press('k')
    expect(await keyOnly.getAttribute('aria-pressed')).toBe('false')
    await frame.locator('.tile', { hasText: 'SEG' }).click()
    await frame.locator('canvas.overlays:visible').waitFor()
    expect(await frame.locator('.legend').innerText()).toBe('first segment')
    await frame.getByRole('button', { name: 'Overlays' }).click()
    expect(await frame.locator('canvas.overlays:visible').count()).toBe(0)
    await frame.locator('.tile', { hasText: /PR$/ }).click()
    const presentation = frame.getByRole('combobox', { name: 'Presentation', exact: true })
    await expect.poll(() => presentation.locator('option:checked').innerText(), SOON).toMatch(/^Presentation, /)
    expect(await frame.locator('.tile[aria-current=true]').innerText()).toContain('CT')
    await presentation.selectOption('As stored')
    await expect.poll(async () => (await readPicture(frame)).print, SOON).toBe(stored.print)
    expect(viewer.faults).toEqual([])
  })

  it('draws values through the three tables of a presentation state as DCMTK draws them', async () => {
    const frame = await viewer.open('studies/pr-voi-lut')
    const stored = await waitForPicture(frame)
    const expected = await drawByDcmtk('studies/pr-voi-lut/imageForPrLUTs.dcm', 'studies/pr-voi-lut/prLUTs.dcm', 32)
    expect(likeness(await readGreys(frame, 32), expected)).toBeLessThan(0.5)
    await frame.locator('.tile', { hasText: /PR$/ }).click()
    // between pixels the values are mixed before these scrambled tables see them, so that edges differ
    await expect.poll(async () => likeness(await readGreys(frame, 32), expected), SOON).toBeGreaterThan(0.9)
    expect(await frame.locator('.remarks').innerText()).toBe('')
    await frame.getByRole('combobox', { name: 'Presentation', exact: true }).selectOption('As stored')
    await expect.poll(async () => (await readPicture(frame)).print, SOON).toBe(stored.print)
    expect(viewer.faults).toEqual([])
  })

  it('says in words why it shows no picture of an image that is larger than a browser can draw', async () => {
    const frame = await viewer.open('malformed/rows-cols-65535.dcm')
    await expect
      .poll(() => frame.locator('.screen .words').innerText(), SOON)
      .toMatch(/^This image cannot be shown here: it has 65,535 × 65,535 pixels/)
    expect(viewer.faults).toEqual([])
  })

  it('says in words why a browser plays no video in MPEG-2, and offers it to be downloaded', async () => {
    const frame = await viewer.open('studies/video-endoscopy')
    await frame.getByText('This video is MPEG-2, which browsers do not play.', { exact: false }).waitFor()
    await frame.getByRole('button', { name: 'Download the video' }).waitFor()
    expect(viewer.faults).toEqual([])
  })

  it('draws an ECG on paper of millimetres', async () => {
    const frame = await viewer.open('studies/ecg-waveform')
    const captions = () => frame.locator('.sheet figcaption').allInnerTexts()
    await expect.poll(async () => (await captions())[0], SOON).toMatch(/Leads I, II, III, aVR.* 25 mm\/s.* 10 mm\/mV/)
    const canvas = await frame.locator('.sheet canvas').first().boundingBox()
    expect(canvas?.height).toBeGreaterThan(500)
    expect(viewer.faults).toEqual([])
  })

  it.each([
    [
      'has pixels that cannot be decoded',
      { status: 200, contentType: JUNK_TYPE, body: JUNK_FRAME },
      'This image cannot be shown: its pixels could not be read.',
    ],
    ['does not come', { status: 500 }, 'This image could not be loaded.'],
    ['may not be seen any more', { status: 401 }, 'This view has ended. Close it and open the study again.'],
  ])('says so when an image %s', async (_case, reply, words) => {
    await viewer.page.route('**/frames/*', (route) => route.fulfill(reply))
    const frame = await viewer.open('transfer-syntaxes/4.90_j2k-lossless_CT1.dcm')
    await expect.poll(() => frame.locator('.screen .words').innerText(), SOON).toBe(words)
    expect(await placeText(frame)).toBe('Image 1 of 1')
  })

  it.each([
    ['the list of series', /\/studies\/[^/]+\/series(\?|$)/],
    ['the description of the images', /\/metadata(\?|$)/],
    ['the code that draws', /\/assets\/stack-view[^/]*\.js$/],
  ])('says so when %s is slow to come, and shows the picture when it comes', async (_what, address) => {
    const held: Route[] = []
    let isHolding = true
    await viewer.page.route(address, (route) => (isHolding ? void held.push(route) : route.continue()))
    const frame = await viewer.open('studies/mg-screening')
    await expect.poll(() => frame.locator('.screen .words').innerText(), SOON).toMatch(/has not come yet/)
    expect(await frame.locator('.screen .words[data-busy]').count()).toBe(0)
    expect(held.length).toBeGreaterThan(0)
    isHolding = false
    for (const route of held) await route.continue()
    await waitForPicture(frame)
  })

  it('says that a view has ended when its sid is no longer good', async () => {
    const frame = await viewer.open('studies/mg-screening', { sid: 'ended' })
    await expect
      .poll(() => frame.locator('.words').innerText(), SOON)
      .toBe('This view has ended. Close it and open the study again.')
  })

  it('[PANEL-09] posts close-viewer on Close and on Escape', async () => {
    const frame = await viewer.open('studies/mg-screening')
    await waitForPicture(frame)
    await frame.getByRole('button', { name: 'Close viewer' }).click()
    await expect.poll(viewer.hostMessages, SOON).toEqual(['{"action":"close-viewer"}'])
    await viewer.page.keyboard.press('Escape')
    await expect.poll(viewer.hostMessages, SOON).toEqual(['{"action":"close-viewer"}', '{"action":"close-viewer"}'])
  })

  function tell(message: object): Promise<void> {
    return viewer.page.evaluate((text) => {
      document.querySelector<HTMLIFrameElement>('#frame')?.contentWindow?.postMessage(text, location.origin)
    }, JSON.stringify(message))
  }

  /** Opens the other exam of the stand, as the page around does when it is asked to. */
  async function openPrior(frame: Frame): Promise<Frame> {
    await tell({ priors: [{ uuid: 'p', label: '1 Mar 2019  ·  CT' }] })
    await frame.getByLabel('Compare with…').selectOption('1 Mar 2019  ·  CT')
    await expect.poll(viewer.hostMessages, SOON).toContain('{"action":"open-prior","uuid":"p"}')
    await tell({ prior: { uuid: 'p', address: 'https://elsewhere.example/' } })
    await tell({ prior: { uuid: 'p', address: viewer.priorAddress() } })
    const other = await (await frame.waitForSelector('.prior-frame')).contentFrame()
    if (other === null) throw new Error('the other exam has no frame')
    await waitForPicture(other)
    return other
  }

  const screenPlace = (frame: Frame) =>
    frame.locator('.screen').evaluate((screen) => {
      const { left, top, width, height } = screen.getBoundingClientRect()
      // to the pixel: parts of one come from letters and lines around it
      return JSON.stringify([left, top, width, height].map(Math.round))
    })

  it('stands beside another exam of the patient, scrolled together by position', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1', { prior: 'studies/ct-head-phantom-visit2' })
    await waitForPicture(frame)
    const other = await openPrior(frame)
    expect(await other.getByRole('button', { name: 'Full screen' }).count()).toBe(0)
    await tell({ scheme: 'dark' })
    await other.waitForSelector('html[data-scheme=dark]')
    // beside what was shown, from the beginning
    const millimetres = async (one: Frame) => Number.parseFloat(await one.locator('.slice').innerText())
    await expect.poll(async () => (await millimetres(other)) - (await millimetres(frame)), SOON).toBeCloseTo(0, 0)
    const [here, there] = [await placeText(frame), await placeText(other)]
    await frame.locator('.picture-area').press('PageDown')
    await expect.poll(() => placeText(frame), SOON).not.toBe(here)
    await expect.poll(() => placeText(other), SOON).not.toBe(there)
    const moved = await placeText(other)
    await frame.getByRole('button', { name: 'Linked' }).click()
    await frame.locator('.picture-area').press('Home')
    await expect.poll(() => placeText(frame), SOON).toBe(here)
    expect(await placeText(other)).toBe(moved)
    // the comparison ends first, the viewer after it
    await frame.locator('.picture-area').press('Escape')
    await frame.waitForSelector('.prior-frame', { state: 'detached' })
    expect(await viewer.hostMessages()).not.toContain('{"action":"close-viewer"}')
    await viewer.page.keyboard.press('Escape')
    await expect.poll(viewer.hostMessages, SOON).toContain('{"action":"close-viewer"}')
    expect(viewer.faults).toEqual([])
  })

  it('gives both exams one place in their panes, however wide, also with a message above one', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1', {
      prior: 'studies/mg-screening',
      withoutFullViewer: true,
    })
    await waitForPicture(frame)
    const other = await openPrior(frame)
    const compare = async () => {
      const [here, there] = await Promise.all([frame, other].map(screenPlace))
      return here === there ? 'one place' : `${here}, ${there}`
    }
    for (const width of [1440, 1024, 900, 700]) {
      await viewer.page.setViewportSize({ width, height: 800 })
      await expect.poll(async () => [width, await compare()], SOON).toEqual([width, 'one place'])
    }
    const before = await screenPlace(frame)
    await frame.getByRole('button', { name: 'Full screen' }).click()
    await frame.getByText('The full viewer is not ready on this server').waitFor()
    expect(await screenPlace(frame)).not.toBe(before)
    await expect.poll(compare, SOON).toBe('one place')
    // alone the viewer has the room back that the other one needed
    await other.getByRole('button', { name: 'Close viewer' }).click()
    await expect.poll(() => frame.locator('.quick').getAttribute('style')).toBeFalsy()
  })

  it('goes on without the full viewer and says so', async () => {
    const frame = await viewer.open('studies/mg-screening', { withoutFullViewer: true })
    await waitForPicture(frame)
    await frame.getByRole('button', { name: 'Full screen' }).click()
    await frame.getByText('The full viewer is not ready on this server').waitFor()
  })
})

describe.skipIf(corpus === undefined)('the full viewer', () => {
  async function fullFrame(frame: Frame): Promise<Frame> {
    const inner = await (await frame.waitForSelector('.full-frame')).contentFrame()
    if (inner === null) throw new Error('the full viewer has no frame')
    return inner
  }

  /** Waits for the picture of the first viewport, which is drawn a moment after its canvas stands. */
  async function waitForFullPicture(frame: Frame): Promise<void> {
    await expect.poll(async () => (await readPicture(frame)).lit, SOON).toBeGreaterThan(200)
  }

  it.each([
    ['CT in three encodings, JPEG-LS among them', 'studies/ct-head-phantom-visit1'],
    ['JPEG lossless', 'transfer-syntaxes/4.70_jpeg-lossless-sv1_CT1.dcm'],
    ['JPEG-LS', 'transfer-syntaxes/4.80_jpeg-ls-lossless_CT1.dcm'],
    ['JPEG 2000', 'transfer-syntaxes/4.90_j2k-lossless_CT1.dcm'],
  ])(
    '[PANEL-08] paints %s under our policy, asking nobody else, without the sid in any address',
    async (_kind, place) => {
      const inner = await fullFrame(await viewer.open(place, { mode: 'full' }))
      await waitForFullPicture(inner)
      expect(viewer.faults).toEqual([])
      expect(viewer.asksWithSid).toHaveLength(1)
      expect(await inner.locator('body').innerText()).not.toMatch(/went wrong|investigational/i)
    },
  )

  it('[PANEL-09] hands its Close on to the host', async () => {
    const inner = await fullFrame(await viewer.open('studies/mg-screening', { mode: 'full' }))
    await inner.getByRole('button', { name: 'Close', exact: true }).click({ timeout: 60_000 })
    await expect.poll(viewer.hostMessages, SOON).toEqual(['{"action":"close-viewer"}'])
  })

  it('[PANEL-02] opens from the full-screen button over the quick viewer and comes back to it', async () => {
    const frame = await viewer.open('studies/mg-screening')
    await waitForPicture(frame)
    await frame.getByRole('button', { name: 'Full screen' }).click()
    const inner = await fullFrame(frame)
    await inner.getByRole('button', { name: 'Close', exact: true }).click({ timeout: 60_000 })
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await frame.locator('.picture-area').waitFor()
    expect(await viewer.hostMessages()).toEqual([])
  })

  it.each([
    ['files without Modality', 'studies/photo-same-id-three-names'],
    ['a radiotherapy study', 'studies/rt-breast'],
  ])('draws %s', async (_kind, place) => {
    const inner = await fullFrame(await viewer.open(place, { mode: 'full' }))
    await inner.getByRole('button', { name: 'Close', exact: true }).waitFor({ timeout: 60_000 })
    await waitForFullPicture(inner)
    expect(viewer.faults).toEqual([])
  })

  it('opens on the image that was shown, with dates and names as the quick viewer has them', async () => {
    const frame = await viewer.open('studies/ct-head-phantom-visit1', { dates: 'DD/MM/YYYY' })
    await waitForPicture(frame)
    await frame.locator('.picture-area').press('PageDown')
    await expect.poll(() => placeText(frame), SOON).toBe('Image 11 of 28')
    await frame.getByRole('button', { name: 'Full screen' }).click()
    const inner = await fullFrame(frame)
    await inner.getByText('(11/28)').waitFor({ timeout: 60_000 })
    const pane = inner.locator('[data-cy=viewport-grid]')
    await pane.getByText('STD BRAIN 5MM').first().waitFor()
    await pane.getByText('06/02/2015').first().waitFor()
    await inner.getByText('HEAD', { exact: true }).first().waitFor()
  })

  it('says within ten seconds of the press that nothing came that it can draw, and can be closed', async () => {
    const frame = await viewer.open('studies/ct-with-sr-seg-pr-ko-pdf/seg_image_ct_binary_single_frame.dcm')
    await frame.waitForSelector('.screen > .words:not([data-busy]) p')
    await frame.getByRole('button', { name: 'Full screen' }).click()
    await frame.waitForSelector('.empty', { timeout: 60_000 })
    expect(await frame.locator('.empty').innerText()).toContain('Nothing came that the full viewer can draw here.')
    // the quick viewer knew: nobody waits once the viewer stands
    const inner = await fullFrame(frame)
    await inner.getByRole('button', { name: 'Close', exact: true }).click()
    await frame.waitForSelector('.full-frame', { state: 'detached' })
  })

  it('[PANEL-02] is left by Back as by Close, and the page around stays where it is', async () => {
    const frame = await viewer.open('studies/mg-screening')
    await waitForPicture(frame)
    const address = viewer.page.url()
    const entries = () => viewer.page.evaluate(() => history.length)
    // the browser's own Back; a step inside a frame is no navigation of the page
    const goBack = () => viewer.page.evaluate(() => void setTimeout(() => history.back()))
    await frame.getByRole('button', { name: 'Full screen' }).click()
    await waitForFullPicture(await fullFrame(frame))
    const within = await entries()
    await goBack()
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await frame.locator('.picture-area').waitFor()
    expect(viewer.page.url()).toBe(address)
    // Close leaves nothing behind either: the next Back belongs to the page around
    await frame.getByRole('button', { name: 'Full screen' }).click()
    const inner = await fullFrame(frame)
    await inner.getByRole('button', { name: 'Close', exact: true }).click({ timeout: 60_000 })
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    expect(await entries()).toBe(within)
    await expect.poll(() => frame.evaluate(() => history.state as unknown)).toBeNull()
    await goBack()
    await viewer.page.waitForURL((now) => now.href !== address)
  })

  it('draws values through the three tables of a presentation state as DCMTK draws them', async () => {
    const frame = await viewer.open('studies/pr-voi-lut', { mode: 'full' })
    const inner = await fullFrame(frame)
    await waitForFullPicture(inner)
    const expected = await drawByDcmtk('studies/pr-voi-lut/imageForPrLUTs.dcm', 'studies/pr-voi-lut/prLUTs.dcm', 32)
    const likeDcmtk = async () => likeness(await readGreys(inner, 32), expected)
    expect(await likeDcmtk()).toBeLessThan(0.5)
    const presentation = frame.getByRole('combobox', { name: 'Presentation', exact: true })
    await presentation.selectOption({ index: 1 })
    await expect.poll(likeDcmtk, SOON).toBeGreaterThan(0.9)
    await presentation.selectOption('As stored')
    await expect.poll(likeDcmtk, SOON).toBeLessThan(0.5)
    expect(viewer.faults).toEqual([])
  })

  it('says so when this server has none', async () => {
    const frame = await viewer.open('studies/mg-screening', { mode: 'full', withoutFullViewer: true })
    await expect
      .poll(() => frame.locator('.words').innerText(), SOON)
      .toContain('The full viewer is not ready on this server.')
  })
})
