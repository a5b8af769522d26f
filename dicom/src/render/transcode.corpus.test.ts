import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpusFolder, isCorpusMissing } from '../node/corpus.ts'
import { openFileSource } from './file-source.ts'
import { readFrame } from './frames.ts'
import { describeImage } from './image-description.ts'
import { readImageHeader } from './image-header.ts'
import { transcodeFrame } from './render-job.ts'

const isDcmtkMissing = spawnSync('dcmdjpeg', ['--version']).error !== undefined
if (isDcmtkMissing) {
  const message = 'DCMTK is not installed: the comparison of decoded pixels with it did NOT run'
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`${message}\n`)
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hilum-transcode-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function nativeFrames(path: string): Promise<Uint8Array[]> {
  await using source = await openFileSource(path)
  const header = await readImageHeader(source)
  const image = describeImage(header)
  const frames: Uint8Array[] = []
  for (let frame = 0; frame < image.frameCount; frame++) frames.push((await readFrame(header, frame, image)).bytes)
  return frames
}

describe.skipIf(isCorpusMissing)('lossless frames become the native pixels', () => {
  const sameImages: [string, string][] = [
    ['1.2.1_explicit-le_CT1', '1.2_implicit-le_CT1'],
    ['1.2.1_explicit-le_CT1', '1.2.2_big-endian_CT1'],
    ['1.2.1_explicit-le_CT1', '1.2.1.99_deflated_CT1'],
    ['1.2.1_explicit-le_CT1', '4.70_jpeg-lossless-sv1_CT1'],
    ['1.2.1_explicit-le_CT1', '4.80_jpeg-ls-lossless_CT1'],
    ['1.2.1_explicit-le_CT1', '4.90_j2k-lossless_CT1'],
    ['1.2.1_explicit-le_CT1', '4.201_htj2k-lossless_CT1'],
    ['1.2.1_explicit-le_CT1', 'fragments/4.80_fragmented_no_bot_CT1'],
    ['1.2.1_explicit-le_CT1', 'fragments/4.80_fragmented_bot_CT1'],
    ['1.2.5_rle_MR1', '4.70_jpeg-lossless-sv1_MR1'],
    ['1.2.5_rle_MR1', '4.202_htj2k-lossless-rpcl_MR1'],
    ['1.2.5_rle_US1-rgb', '4.90_j2k-lossless_US1-rgb'],
    ['1.2.5_rle_US1-rgb', '4.201_htj2k-lossless_US1-rgb'],
  ]
  test.each(sameImages)('%s and %s are the same pixels', async (one, other) => {
    const pathOf = (name: string) => join(corpusFolder, 'transfer-syntaxes', `${name}.dcm`)
    const [first, second] = await Promise.all([
      transcodeFrame({ path: pathOf(one), frame: 0 }),
      transcodeFrame({ path: pathOf(other), frame: 0 }),
    ])
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
    expect(first.photometric).toBe(second.photometric)
  })

  test.skipIf(isDcmtkMissing).each([
    ['dcmcjpls', '+il'],
    ['dcmcjpls', '+is'],
    ['dcmcjpls', '+in'],
    ['dcmcjpeg', '+e1'],
    ['dcmcjpeg', '+el'],
  ])('colour encoded by %s %s comes back exactly', async (encoder, option) => {
    const [native, encoded] = [join(folder, 'colour.dcm'), join(folder, 'encoded.dcm')]
    const rle = join(corpusFolder, 'transfer-syntaxes/1.2.5_rle_US1-rgb.dcm')
    expect(spawnSync('dcmdrle', [rle, native]).status).toBe(0)
    expect(spawnSync(encoder, [option, native, encoded]).status).toBe(0)
    const [expected] = await nativeFrames(native)
    const { bytes, photometric } = await transcodeFrame({ path: encoded, frame: 0 })
    expect(photometric).toBe('RGB')
    expect(Buffer.compare(bytes, expected ?? new Uint8Array(0))).toBe(0)
  })

  test.skipIf(isDcmtkMissing).each(['+cr', '+cy'])(
    'baseline JPEG of DCMTK with %s keeps its colours',
    async (option) => {
      const [native, encoded] = [join(folder, 'colour.dcm'), join(folder, 'encoded.dcm')]
      const rle = join(corpusFolder, 'transfer-syntaxes/1.2.5_rle_US1-rgb.dcm')
      expect(spawnSync('dcmdrle', [rle, native]).status).toBe(0)
      expect(spawnSync('dcmcjpeg', ['+eb', option, native, encoded]).status).toBe(0)
      const [expected = new Uint8Array(0)] = await nativeFrames(native)
      const { bytes, photometric } = await transcodeFrame({ path: encoded, frame: 0 })
      expect(photometric).toBe('RGB')
      const difference = bytes.reduce((sum, value, index) => sum + Math.abs(value - (expected[index] ?? 0)), 0)
      expect(difference / bytes.length).toBeLessThan(2)
    },
  )

  test('a cut JPEG-LS frame is refused, not waited for', async () => {
    const path = join(folder, 'cut.dcm')
    const whole = readFileSync(join(corpusFolder, 'transfer-syntaxes/fragments/4.80_not_fragmented_no_bot_CT1.dcm'))
    // The fragment is shortened and says so; only its content is cut.
    const item = whole.lastIndexOf(Buffer.from([0xfe, 0xff, 0x00, 0xe0]))
    const cut = Buffer.from(whole.subarray(0, item + 8 + 8046))
    cut.writeUInt32LE(8046, item + 4)
    writeFileSync(path, cut)
    await expect(transcodeFrame({ path, frame: 0 })).rejects.toMatchObject({ fault: 'damaged' })
  })

  test('a frame of a 1-bit object is as long as its bits', async () => {
    const path = join(corpusFolder, 'transfer-syntaxes/8.1_deflated-image-frame_SEG.dcm')
    const { bytes, frameCount } = await transcodeFrame({ path, frame: 0 })
    expect(frameCount).toBe(3)
    expect(bytes.length).toBe((512 * 512) / 8)
  })
})
