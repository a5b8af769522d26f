import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { UNDEFINED_LENGTH } from '../elements.ts'
import type { DicomJson, JsonAttribute } from '../json.ts'
import { isCorpusMissing, isCorpusWhole, readCorpusFile, sampleCorpus } from '../node/corpus.ts'
import { inflate } from '../node/inflate.ts'
import { type DicomHeader, readDataSet, readHeader } from '../read.ts'
import { isPrivateTag } from '../tags.ts'
import {
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from '../transfer-syntaxes.ts'
import { concatBytes, writeMeta } from '../write-part10.ts'
import { memorySource, WindowedReader } from './byte-source.ts'
import { endOfFragments } from './fragments.ts'
import { makeHeaderJson } from './header-json.ts'

const isDcmtkMissing = spawnSync('dcm2json', ['--version']).error !== undefined
if (isDcmtkMissing) {
  const message = 'DCMTK is not installed: the comparison of metadata with it did NOT run'
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`${message}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'hilum-metadata-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** DCMTK does not write their model: of these character sets, and of an icon that is compressed. */
const unreadable = /^(charsets\/|malformed\/(meta-declares-implicit|J2K_pixelrep|explicit_VR-UN)|.*no_bot_US|.*GH133)/
/** DCMTK shows what does not fit its VR, what is a command and leftovers of a transport, and leaves UN as UN. */
const otherChoices =
  /^malformed\/(badVR|bad-dates|bad_sequence|odd-length|command-group-in|wrong-meta-group-length|trailing-garbage)/

function headerOf(bytes: Uint8Array): DicomHeader | undefined {
  try {
    const read = readHeader(bytes, { inflate, untilPixelData: true })
    return read.kind === 'header' ? read.header : undefined
  } catch {
    return undefined
  }
}

async function metadataOf(bytes: Uint8Array, header: DicomHeader): Promise<DicomJson> {
  const { transferSyntax, pixelOffset = null } = header
  const facts = { length: bytes.length, transferSyntax, pixelOffset }
  const options = { kind: 'model', address: 'https://hilum.example/i', correction: undefined } as const
  const text = await makeHeaderJson(memorySource(bytes), { facts, options })
  return JSON.parse(new TextDecoder().decode(text)) as DicomJson
}

/** The file with no pixels inside its pixel data element: DCMTK would write them all, and none that are compressed. */
async function withoutPixels(bytes: Uint8Array, header: DicomHeader): Promise<Uint8Array> {
  const { sopClassUid, sopInstanceUid, dataSet, dataSetStart, pixelElement } = header
  const { isDeflated } = transferSyntaxOf(header.transferSyntax)
  const whole = isDeflated ? readDataSet(bytes, { inflate }).dataSet.source.bytes : bytes
  const { isExplicit, isLittleEndian } = dataSet.encoding
  const syntax = isExplicit ? (isLittleEndian ? ExplicitLittleEndian : ExplicitBigEndian) : ImplicitLittleEndian
  const front = [
    writeMeta(sopClassUid, sopInstanceUid, syntax),
    whole.subarray(isDeflated ? 0 : dataSetStart, dataSet.end),
  ]
  if (!pixelElement) return concatBytes(front)
  const { valueStart, length } = pixelElement
  const reader = new WindowedReader(memorySource(whole), 65_536)
  const end = length === UNDEFINED_LENGTH ? await endOfFragments(reader, valueStart) : valueStart + length
  return concatBytes([...front, whole.subarray(end ?? whole.length)])
}

const run = promisify(execFile)
async function dcmtkOf(name: string, bytes: Uint8Array): Promise<DicomJson> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const { stdout } = await run('dcm2json', ['-fc', path], { maxBuffer: 1024 ** 3 })
  await rm(path)
  return JSON.parse(stdout) as DicomJson
}

/** Differences of two models, as far as either is right. */
function differences(ours: DicomJson, theirs: DicomJson, isImplicit: boolean): string[] {
  const tags = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...tags].flatMap((hex) => {
    const [one, other] = [ours[hex], theirs[hex]]
    const tag = Number.parseInt(hex, 16)
    // made for the answer, and the character set of the file beside that of the JSON
    if (hex === '00083002' || hex === '00080005') return []
    if (!one || !other) return [`${hex} ${one ? 'is ours alone' : 'is missing'}`]
    // DCMTK knows the private attributes of some makers
    if (one.vr === 'UN' && (isImplicit || isPrivateTag(tag))) return []
    if (one.vr !== other.vr) return [`${hex} is ${one.vr} beside ${other.vr}`]
    return valueDiffers(one, other, isImplicit).map((text) => `${hex} ${text}`)
  })
}

function valueDiffers(one: JsonAttribute, other: JsonAttribute, isImplicit: boolean): string[] {
  if (one.vr === 'SQ') {
    const [ours, theirs] = [one.Value ?? [], other.Value ?? []] as [DicomJson[], DicomJson[]]
    if (ours.length !== theirs.length) return [`has ${ours.length} items beside ${theirs.length}`]
    return ours.flatMap((item, index) => differences(item, theirs[index] ?? {}, isImplicit))
  }
  if (one.BulkDataURI !== undefined)
    return one.BulkDataURI.startsWith('https://hilum.example/i/bulkdata/') && (other.InlineBinary ?? other.Value)
      ? []
      : ['has an address']
  if (one.InlineBinary !== other.InlineBinary) return ['has other bytes']
  const [ours, theirs] = [plain(one), plain(other)]
  return ours === theirs ? [] : [`is ${ours.slice(0, 100)} beside ${theirs.slice(0, 100)}`]
}

/** Values as far as they mean the same: numbers as text, floating point of the precision that is printed, empty name parts. */
function plain({ vr, Value: values = [] }: JsonAttribute): string {
  const texts = values.map((value) => {
    if (vr === 'PN')
      return JSON.stringify(value)
        .replaceAll(/\^+(?=["=])/g, '')
        .replaceAll(/"\w+":"",?/g, '')
    if (vr === 'FL' || vr === 'FD') return value === null ? 'null' : Number(value).toPrecision(vr === 'FL' ? 6 : 14)
    return vr === 'DS' || vr === 'IS' ? String(value === null ? null : Number(value)) : JSON.stringify(value)
  })
  return texts.filter((text) => text !== 'null' && text !== '{}').join('\\')
}

/** Files that can be read, and about which both are to say the same. */
const files = () =>
  sampleCorpus().filter(
    ({ path }) => !path.startsWith('media/zip/') && !unreadable.test(path) && !otherChoices.test(path),
  )

describe.skipIf(isCorpusMissing || isDcmtkMissing)('metadata', () => {
  test('of every series says what DCMTK reads in it', { timeout: 600_000 }, async () => {
    const wrong: [string, string[]][] = []
    let compared = 0
    const left = files().values()
    const lane = async (name: string) => {
      for (const file of left) {
        const bytes = readCorpusFile(file.path)
        const header = headerOf(bytes)
        if (!header) continue
        const ours = await metadataOf(bytes, header)
        if (header.pixelElement) {
          const { tag, length, vr } = header.pixelElement
          const hex = tag.toString(16).toUpperCase()
          const pixels = ours[hex]
          const wanted = length === UNDEFINED_LENGTH ? 'OB' : vr === undefined || vr === 'UN' ? 'OW' : vr
          if (pixels?.vr !== wanted) wrong.push([file.path, [`${hex} is ${pixels?.vr}, not ${wanted}`]])
          delete ours[hex]
        }
        const theirs = await dcmtkOf(name, await withoutPixels(bytes, header)).catch((error: Error) => error)
        if (theirs instanceof Error) {
          wrong.push([file.path, [theirs.message.slice(0, 300)]])
          continue
        }
        compared += 1
        const found = differences(ours, theirs, !header.dataSet.encoding.isExplicit)
        if (found.length > 0) wrong.push([file.path, found.slice(0, 5)])
      }
    }
    await Promise.all(['a', 'b'].map(lane))
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(isCorpusWhole ? 950 : 200)
  })
})
