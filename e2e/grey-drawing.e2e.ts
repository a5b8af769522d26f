/// <reference lib="dom" />
import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { corpus, useViewer, waitForPicture } from './support/viewer-stand.ts'

const viewer = useViewer()

declare global {
  interface Window {
    /** Pictures that were drawn by way of WebGL. */
    drawnByCard?: number
  }
}

/** Counts pictures that go by way of WebGL. */
async function countByCard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { drawArrays } = WebGL2RenderingContext.prototype
    window.drawnByCard = 0
    WebGL2RenderingContext.prototype.drawArrays = function (...drawn) {
      window.drawnByCard = (window.drawnByCard ?? 0) + 1
      drawArrays.apply(this, drawn)
    }
  })
}

/** Lets the page take what draws here for a graphics card, so that the library draws as it does with one. */
async function pretendCard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const UNMASKED_RENDERER = 0x9246
    const { getParameter } = WebGL2RenderingContext.prototype
    WebGL2RenderingContext.prototype.getParameter = function (name: number) {
      return name === UNMASKED_RENDERER ? 'A card' : getParameter.call(this, name)
    }
  })
}

const countOf = (frame: Frame) => frame.evaluate(() => window.drawnByCard ?? 0)

type Picture = { width: number; height: number; greys: number[]; isGrey: boolean }

/** The picture once it was drawn as asked. */
function readPixels(frame: Frame): Promise<Picture> {
  return frame.evaluate(async () => {
    const nextFrame = () => new Promise(requestAnimationFrame)
    await nextFrame()
    await nextFrame()
    const shown = document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas')
    const read = shown?.getContext('2d')?.getImageData(0, 0, shown.width, shown.height)
    if (!read) throw new Error('There is no picture')
    const { data, width, height } = read
    const greys: number[] = []
    let isGrey = true
    for (let at = 0; at < data.length; at += 4) {
      greys.push(data[at] ?? 0)
      // the ground is nearly black, and nearly grey
      isGrey &&= Math.abs((data[at] ?? 0) - (data[at + 2] ?? 0)) <= 4
    }
    return { width, height, greys, isGrey }
  })
}

/** A picture as opened, the next one larger and moved in part out of the screen, that in a narrow window, and inverted. */
async function readLooks(frame: Frame): Promise<Picture[]> {
  await waitForPicture(frame)
  const place = frame.locator('.place')
  const press = (key: string) => frame.locator('.picture-area').press(key)
  const [, count = '1'] = /of (\d+)/.exec(await place.innerText()) ?? []
  const looks = [await readPixels(frame)]
  await press('ArrowDown')
  if (Number(count) > 1) await place.getByText(/^\D*2 of/).waitFor()
  for (const key of ['+', '+', '+']) await press(key)
  looks.push(await readPixels(frame))
  const presets = frame.getByRole('combobox', { name: 'Windows' })
  const names = await presets.locator('option').allInnerTexts()
  const narrow = names.find((name) => /Brain|Narrow|Soft/i.test(name))
  if (narrow) await presets.selectOption({ label: narrow })
  looks.push(await readPixels(frame))
  await press('i')
  looks.push(await readPixels(frame))
  return looks
}

describe.skipIf(corpus === undefined)('grey pictures, on a machine without a graphics card', () => {
  it.each([
    ['CT, also in a narrow window', 'studies/ct-head-phantom-visit1'],
    ['MR without a window', 'studies/mr-head-janedoe-2013'],
    ['MONOCHROME1', 'studies/dx-small'],
    ['several frames', 'studies/xa-cath'],
    ['mammography, smaller than it is', 'studies/mg-screening'],
  ])('are drawn as a card draws them, pixel by pixel: %s', async (_kind, place) => {
    await countByCard(viewer.page)
    const plain = await viewer.open(place)
    const plainly = await readLooks(plain)
    const probes = await countOf(plain)
    await pretendCard(viewer.page)
    const byCard = await viewer.open(place)
    const drawn = await readLooks(byCard)
    // the library tries the card in either case
    expect((await countOf(byCard)) - probes).toBeGreaterThanOrEqual(drawn.length)
    for (const [at, one] of plainly.entries()) {
      const other = drawn[at]
      expect([one.width, one.height, one.isGrey]).toEqual([other?.width, other?.height, true])
      const off = one.greys.map((grey, pixel) => Math.abs(grey - (other?.greys[pixel] ?? 0)))
      const shareOver = (most: number) => off.filter((by) => by > most).length / off.length
      // a card reckons places with less precision: pixels at steep edges, and at the edge of the image, may differ
      expect(shareOver(1)).toBeLessThan(0.01)
      expect(shareOver(10)).toBeLessThan(0.002)
    }
  })
})
