import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { type CorpusFile, corpusFolder, isCorpusMissing, isCorpusWhole, sampleCorpus } from '../node/corpus.ts'
import { createRenderPool } from './pool.ts'
import { RenderError } from './render-error.ts'

const isDcmtkMissing = spawnSync('dcmdump', ['--version']).error !== undefined
if (isDcmtkMissing) {
  const message = 'DCMTK is not installed: the comparison of every frame with it did NOT run'
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`${message}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'hilum-pixels-'))
const pool = createRenderPool({ size: 2 })
afterAll(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)
/**
 * The DCMTK command that brings each syntax to native pixels, none where they are so already, and by how much a sample may
 * differ from ours.
 */
const decoders: Readonly<Record<string, { command: readonly string[]; tolerance: number }>> = {
  '1.2.840.10008.1.2': { command: [], tolerance: 0 },
  '1.2.840.10008.1.2.1': { command: [], tolerance: 0 },
  '1.2.840.10008.1.2.1.99': { command: ['dcmconv', '+te'], tolerance: 0 },
  '1.2.840.10008.1.2.2': { command: ['dcmconv', '+te'], tolerance: 0 },
  '1.2.840.10008.1.2.5': { command: ['dcmdrle'], tolerance: 0 },
  '1.2.840.10008.1.2.4.57': { command: ['dcmdjpeg'], tolerance: 0 },
  '1.2.840.10008.1.2.4.70': { command: ['dcmdjpeg'], tolerance: 0 },
  '1.2.840.10008.1.2.4.80': { command: ['dcmdjpls'], tolerance: 0 },
  '1.2.840.10008.1.2.4.81': { command: ['dcmdjpls'], tolerance: 0 },
  // two inverse transforms of the same coefficients round apart
  '1.2.840.10008.1.2.4.50': { command: ['dcmdjpeg'], tolerance: 3 },
  '1.2.840.10008.1.2.4.51': { command: ['dcmdjpeg'], tolerance: 3 },
  '1.2.840.10008.1.2.4.53': { command: ['dcmdjpeg'], tolerance: 3 },
  '1.2.840.10008.1.2.4.55': { command: ['dcmdjpeg'], tolerance: 3 },
}
const isNative = (file: CorpusFile) => decoders[file.transfer_syntax ?? '']?.command.length === 0

const files = () =>
  sampleCorpus().filter(
    ({ path, expected, transfer_syntax = '' }) =>
      expected === 'accept' && decoders[transfer_syntax] && !path.startsWith('media/zip/'),
  )

/** Native pixels of each file, under its number. An image that DCMTK cannot decode gives no file. */
async function decodeTo(place: string, batch: readonly CorpusFile[]): Promise<void> {
  for (const [index, file] of batch.entries()) {
    const [tool, ...options] = decoders[file.transfer_syntax ?? '']?.command ?? []
    const [from, to] = [join(corpusFolder, file.path), join(place, String(index))]
    if (tool === undefined) await symlink(from, to)
    else await run(tool, [...options, from, to]).catch(() => undefined)
  }
}

/** The pixel data that DCMTK finds and decodes in each file; undefined where it finds none, or cannot. */
async function pixelsByDcmtk(place: string, batch: readonly CorpusFile[]): Promise<(Buffer | undefined)[]> {
  await rm(place, { recursive: true, force: true })
  await mkdir(join(place, 'raw'), { recursive: true })
  await decodeTo(place, batch)
  const decoded = (await readdir(place)).filter((name) => name !== 'raw')
  // one file that is broken ends with an error after the others are written
  const dump = ['-q', '+P', '7fe0,0010', '+W', join(place, 'raw'), ...decoded.map((name) => join(place, name))]
  await run('dcmdump', dump, { maxBuffer: 1024 ** 3 }).catch(() => undefined)
  const raw = await readdir(join(place, 'raw'))
  return Promise.all(
    batch.map((_, index) => {
      // icons come first
      const last = raw
        .filter((name) => name.startsWith(`${index}.`))
        .toSorted()
        .at(-1)
      return last ? readFile(join(place, 'raw', last)) : undefined
    }),
  )
}

/** The same by us: every frame. @throws RenderError */
async function framesByUs(path: string): Promise<Uint8Array[]> {
  const first = await pool.transcode({ path, frame: 0 })
  const frames = [first.bytes]
  for (let frame = 1; frame < first.frameCount; frame++) frames.push((await pool.transcode({ path, frame })).bytes)
  return frames
}

/** Frames in a row as they stand in a data set: those of single bits share bytes (PS3.5 §8.1.1). */
function joined(frames: readonly Uint8Array[], bits: number): Buffer {
  if (frames[0]?.length !== Math.ceil(bits / 8) || bits % 8 === 0) return Buffer.concat(frames)
  const whole = Buffer.alloc(Math.ceil((bits * frames.length) / 8))
  for (let at = 0; at < bits * frames.length; at++) {
    const inFrame = at % bits
    const byte = frames[Math.floor(at / bits)]?.[inFrame >> 3] ?? 0
    if ((byte >> (inFrame & 7)) & 1) whole[at >> 3] = (whole[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return whole
}

function differs(ours: Buffer, theirs: Buffer, tolerance: number, width: number): string | undefined {
  // a last byte fills up an odd length (PS3.5 §8.1.1)
  const padding = theirs.length - ours.length
  if (padding !== 0 && !(padding === 1 && ours.length % 2 === 1)) return `${ours.length} bytes beside ${theirs.length}`
  if (ours.equals(theirs.subarray(0, ours.length))) return undefined
  if (tolerance === 0) return 'other pixels'
  for (let at = 0; at + width <= ours.length; at += width) {
    const [one, other] = width === 1 ? [ours[at], theirs[at]] : [ours.readInt16LE(at), theirs.readInt16LE(at)]
    if (Math.abs((one ?? 0) - (other ?? 0)) > tolerance) return `another sample at ${at}`
  }
  return undefined
}

/** Files in the order in which lanes take them: many at a time, since a process for each costs more than its pixels. */
function batches(): CorpusFile[][] {
  const [native, others] = [files().filter(isNative), files().filter((file) => !isNative(file))]
  return [native, others].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / 40) }, (_, index) => list.slice(index * 40, index * 40 + 40)),
  )
}

/** Pixel data of more bytes than the header counts: of frames whose number is unreadable (1A), and padded on purpose. */
const longer = ['malformed/MR_small_padded.dcm', 'malformed/badVR.dcm']

/** Files whose pixel data DCMTK writes out although no image can be made of them. */
const undrawable = [
  'malformed/bits-allocated-7.dcm',
  'malformed/pixel-data-empty.dcm',
  'malformed/pixel-data-short.dcm',
  'malformed/rows-cols-65535.dcm',
  'malformed/rows-zero.dcm',
]

describe.skipIf(isCorpusMissing || isDcmtkMissing)('frames of every series of the corpus', () => {
  test('have the pixels that DCMTK finds', { timeout: 1_800_000 }, async () => {
    const wrong: [string, string][] = []
    const undrawn: string[] = []
    let frames = 0
    const compare = async (file: CorpusFile, theirs: Buffer | undefined) => {
      const ours = await framesByUs(join(corpusFolder, file.path)).catch((error: unknown) => {
        if (!(error instanceof RenderError)) throw error
        return undefined
      })
      if (!ours && theirs) undrawn.push(file.path)
      if (ours && !theirs) wrong.push([file.path, 'pixels that DCMTK does not find'])
      if (!ours || !theirs) return
      frames += ours.length
      const { tolerance } = decoders[file.transfer_syntax ?? ''] ?? { tolerance: 0 }
      const pixels = Number(file.rows) * Number(file.columns)
      const width = (ours[0]?.length ?? 0) === pixels * 2 ? 2 : 1
      const counted = joined(ours, pixels)
      const compared = longer.includes(file.path) ? theirs.subarray(0, counted.length) : theirs
      const found = differs(counted, compared, tolerance, width)
      if (found) wrong.push([file.path, found])
    }
    const left = batches().values()
    const lane = async (name: string) => {
      for (const batch of left) {
        const theirs = await pixelsByDcmtk(join(folder, name), batch)
        for (const [index, file] of batch.entries()) await compare(file, theirs[index])
      }
    }
    await Promise.all(['a', 'b'].map(lane))
    expect(wrong).toEqual([])
    expect(undrawn.toSorted()).toEqual(undrawable)
    expect(frames).toBeGreaterThan(isCorpusWhole ? 1600 : 500)
  })
})
