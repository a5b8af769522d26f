import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { type CorpusFile, corpusFolder, isCorpusMissing, listCorpus } from '../node/corpus.ts'
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
const native = ['dcmconv', '+te']
/** The DCMTK command that brings each syntax to native pixels, and by how much a sample may differ from ours. */
const decoders: Readonly<Record<string, { command: readonly string[]; tolerance: number }>> = {
  '1.2.840.10008.1.2': { command: native, tolerance: 0 },
  '1.2.840.10008.1.2.1': { command: native, tolerance: 0 },
  '1.2.840.10008.1.2.1.99': { command: native, tolerance: 0 },
  '1.2.840.10008.1.2.2': { command: native, tolerance: 0 },
  '1.2.840.10008.1.2.5': { command: ['dcmdrle'], tolerance: 0 },
  '1.2.840.10008.1.2.4.57': { command: ['dcmdjpeg'], tolerance: 0 },
  '1.2.840.10008.1.2.4.70': { command: ['dcmdjpeg'], tolerance: 0 },
  '1.2.840.10008.1.2.4.80': { command: ['dcmdjpls'], tolerance: 0 },
  '1.2.840.10008.1.2.4.81': { command: ['dcmdjpls'], tolerance: 0 },
  // two inverse transforms of the same coefficients round apart
  '1.2.840.10008.1.2.4.51': { command: ['dcmdjpeg'], tolerance: 3 },
}

/**
 * Files of each transfer syntax; with HILUM_WHOLE_CORPUS=1 one of each series besides, which takes minutes. Frames of
 * single bits that share bytes are cut apart by us and not by DCMTK.
 */
function files(): CorpusFile[] {
  const seen = new Set<string>()
  return listCorpus().filter((file) => {
    if (file.expected !== 'accept' || !decoders[file.transfer_syntax ?? ''] || file.path.startsWith('media/zip/'))
      return false
    if (file.path.startsWith('transfer-syntaxes/')) return true
    if (process.env.HILUM_WHOLE_CORPUS !== '1' || file.path.includes('seg_image_sm_control')) return false
    if (seen.has(file.series_uid ?? '')) return false
    seen.add(file.series_uid ?? '')
    return true
  })
}

/** The pixel data that DCMTK finds and decodes; undefined where it finds none, or cannot. */
async function pixelsByDcmtk(file: CorpusFile, place: string): Promise<Buffer | undefined> {
  await rm(place, { recursive: true, force: true })
  await mkdir(place)
  const [tool = '', ...options] = decoders[file.transfer_syntax ?? '']?.command ?? []
  const plain = join(place, 'plain')
  try {
    await run(tool, [...options, join(corpusFolder, file.path), plain])
    await run('dcmdump', ['+W', place, plain], { maxBuffer: 1024 ** 3 })
  } catch {
    return undefined
  }
  const raw = (await readdir(place)).filter((name) => name.endsWith('.raw')).toSorted()
  // icons come first
  const last = raw.at(-1)
  return last ? readFile(join(place, last)) : undefined
}

/** The same by us: every frame. @throws RenderError */
async function pixelsByUs(path: string): Promise<Buffer> {
  const first = await pool.transcode({ path, frame: 0 })
  const frames = [first.bytes]
  for (let frame = 1; frame < first.frameCount; frame++) frames.push((await pool.transcode({ path, frame })).bytes)
  return Buffer.concat(frames)
}

function differs(ours: Buffer, theirs: Buffer, tolerance: number): string | undefined {
  // theirs may be padded, or hold more than the header counts
  if (theirs.length < ours.length) return `${ours.length} bytes beside ${theirs.length}`
  if (tolerance === 0) return ours.equals(theirs.subarray(0, ours.length)) ? undefined : 'other pixels'
  for (let at = 0; at + 1 < ours.length; at += 2)
    if (Math.abs(ours.readInt16LE(at) - theirs.readInt16LE(at)) > tolerance) return `another sample at ${at}`
  return undefined
}

describe.skipIf(isCorpusMissing || isDcmtkMissing)('every frame of the corpus', () => {
  test('has the pixels that DCMTK finds', { timeout: 1_800_000 }, async () => {
    const wrong: [string, string][] = []
    const left = files().values()
    let compared = 0
    const lane = async (name: string) => {
      for (const file of left) {
        const ours = await pixelsByUs(join(corpusFolder, file.path)).catch((error: unknown) => {
          if (!(error instanceof RenderError)) throw error
          return error
        })
        const theirs = await pixelsByDcmtk(file, join(folder, name))
        if (ours instanceof RenderError || !theirs) continue
        compared += 1
        const { tolerance } = decoders[file.transfer_syntax ?? ''] ?? { tolerance: 0 }
        const found = differs(ours, theirs, tolerance)
        if (found) wrong.push([file.path, found])
      }
    }
    await Promise.all(['a', 'b'].map(lane))
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(15)
  })
})
