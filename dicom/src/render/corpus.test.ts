import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpusFolder, isCorpusMissing, listCorpus } from '../node/corpus.ts'
import { createRenderPool, type RenderPool } from './pool.ts'
import { RenderError } from './render-error.ts'
import type { RenderedPicture } from './render-job.ts'

let pool: RenderPool
beforeAll(() => {
  pool = createRenderPool()
})
afterAll(() => pool.close())

const at = (path: string) => join(corpusFolder, path)

/** Every file but the many of one series; malformed ones all, whatever an importer does with them. */
function filesToDraw() {
  const seen = new Set<string>()
  return [...listCorpus('transfer-syntaxes/'), ...listCorpus('studies/'), ...listCorpus('malformed/')].filter(
    (file) => {
      if (!file.path.startsWith('studies/')) return true
      if (seen.has(file.series_uid ?? '')) return false
      seen.add(file.series_uid ?? '')
      return true
    },
  )
}

/** Of 255 on average; JPEG 2000 is drawn from a smaller decoding, whose edges are sharper. */
const worst = 6

async function greyOf(path: string, edge = 128): Promise<Uint8Array> {
  const { bytes } = await pool.thumbnail({ path: at(path), edge, format: 'png' })
  return new Uint8Array(await sharp(bytes).greyscale().raw().toBuffer())
}

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length)
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

/** A JPEG of at most 128 pixels, or a RenderError that says a sentence. */
async function judge(outcome: unknown): Promise<string> {
  if (outcome instanceof RenderError) {
    const isSentence = /^[A-Z].*\.$/.test(outcome.message) && outcome.fault !== 'crashed'
    return isSentence ? 'fine' : `${outcome.fault}: ${outcome.message}`
  }
  if (outcome instanceof Error) return `not a RenderError: ${outcome.message}`
  const picture = outcome as RenderedPicture
  const { format, width, height } = await sharp(picture.bytes).metadata()
  const isAsked = format === 'jpeg' && Math.max(width, height) <= 128 && width === picture.width
  return isAsked ? 'fine' : `${format} of ${width} × ${height}`
}

describe.skipIf(isCorpusMissing)('thumbnails', () => {
  test.each(filesToDraw())('$path gives a picture or a reason in words', async (file) => {
    const outcome = await pool.thumbnail({ path: at(file.path), edge: 128 }).catch((error: unknown) => error)
    expect(await judge(outcome)).toBe('fine')
  })

  /** Of these the middle frame is a white tile of a slide, or there is no frame. */
  const plain = [
    'studies/sm-slide-tiny/sm_image.dcm',
    'studies/video-endoscopy/',
    'studies/mr-enhanced-multiframe-spectro/BRTUMSP',
  ]
  const pictured = () =>
    filesToDraw().filter(
      (file) =>
        file.expected === 'accept' &&
        Number(file.rows) > 0 &&
        !file.path.startsWith('malformed/') &&
        !plain.some((path) => file.path.startsWith(path)),
    )
  test.each(pictured())('$path is neither black nor white nor flat', async (file) => {
    const { data } = await sharp((await pool.thumbnail({ path: at(file.path), edge: 128, format: 'png' })).bytes)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length
    const deviation = Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length)
    // A small lesion in a segmentation is nearly black.
    expect(mean).toBeGreaterThan(0.02)
    expect(mean).toBeLessThan(254)
    expect(deviation).toBeGreaterThan(0.5)
  })

  const ct = listCorpus('transfer-syntaxes/').filter((file) => file.path.endsWith('_CT1.dcm'))
  test.each(ct)('$path looks like the uncompressed image', async (file) => {
    const reference = await greyOf('transfer-syntaxes/1.2.1_explicit-le_CT1.dcm')
    expect(meanDifference(await greyOf(file.path), reference)).toBeLessThan(worst)
  })

  const us = listCorpus('transfer-syntaxes/').filter((file) => file.path.endsWith('_US1-rgb.dcm'))
  test.each(us)('$path looks like the uncompressed image', async (file) => {
    const reference = await greyOf('transfer-syntaxes/1.2.5_rle_US1-rgb.dcm')
    expect(meanDifference(await greyOf(file.path), reference)).toBeLessThan(worst)
  })

  test('JPEG in YBR keeps its colours', async () => {
    const path = at('transfer-syntaxes/4.50_jpeg-baseline_SC-rgb.dcm')
    const { bytes } = await pool.frame({ path, frame: 0, format: 'png' })
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    const colourAt = (y: number) => [...data.subarray((y * 100 + 50) * 3, (y * 100 + 50) * 3 + 3)]
    const red = colourAt(5)
    const blue = colourAt(45)
    expect(red[0]).toBeGreaterThan(240)
    expect(red[1]).toBeLessThan(20)
    expect(blue[2]).toBeGreaterThan(240)
    expect(blue[0]).toBeLessThan(20)
  })

  test('an angiogram shows the frame that the object names, in its own window', async () => {
    const { bytes, frame, frameCount } = await pool.thumbnail({
      path: at('studies/xa-cath/I_000000.dcm'),
      format: 'png',
    })
    expect([frame, frameCount]).toEqual([36, 75])
    const { channels } = await sharp(bytes).stats()
    expect(channels[0]?.mean).toBeLessThan(200)
  })
})

describe.skipIf(isCorpusMissing)('frames', () => {
  const path = at('transfer-syntaxes/1.2.1_explicit-le_CT1.dcm')

  test('are drawn on their own grid, or smaller when asked', async () => {
    expect(await pool.frame({ path, frame: 0 })).toMatchObject({ width: 512, height: 512, mediaType: 'image/jpeg' })
    expect(await pool.frame({ path, frame: 0, within: { width: 300, height: 300 }, format: 'webp' })).toMatchObject({
      width: 300,
      mediaType: 'image/webp',
    })
  })

  test.each(['png', 'tiff'] as const)('of 16 bits come as %s', async (format) => {
    const picture = await pool.frame({ path, frame: 0, depth: 16, format })
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format, depth: 'ushort', channels: 1, width: 512 })
  })

  test('beyond the last are refused in words', async () => {
    await expect(pool.frame({ path, frame: 1 })).rejects.toMatchObject({
      fault: 'noSuchFrame',
      message: 'There is no frame 2; the object holds 1.',
    })
  })
})
