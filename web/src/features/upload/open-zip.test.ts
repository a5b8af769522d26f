import { crc32, deflateRawSync } from 'node:zlib'
import { corpusFolder, isCorpusMissing, readCorpusFile } from '@hilum/dicom/node/corpus'
import { describe, expect, test } from 'vitest'
import { makeDicom } from '../../../test/make-dicom.ts'
import { findExams } from './find-exams.ts'
import { openZip, type ZipItem, type ZipToOpen } from './open-zip.ts'
import type { ParseWorker } from './parse-pool.ts'
import { readInstance } from './read-instance.ts'
import type { ZipWorker } from './walk-zip.ts'
import { walkFileList } from './walk.ts'

interface Packed {
  name: string
  content: Uint8Array<ArrayBuffer>
  isStored?: boolean
  /** The false entry of the directory. */
  says?: { sizeBytes?: number; flags?: number; method?: number; crc?: number; offset?: number }
}

/** A ZIP as packers write it, with whatever lies are asked for. */
function makeZip(files: readonly Packed[]): File {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, content, isStored = false, says = {} } of files) {
    const packed = isStored ? Buffer.from(content) : deflateRawSync(content)
    const entry = Buffer.alloc(46)
    const fields: [number, number, 2 | 4][] = [
      [0, 0x02014b50, 4],
      [8, says.flags ?? 0x800, 2],
      [10, says.method ?? (isStored ? 0 : 8), 2],
      [16, says.crc ?? crc32(content), 4],
      [20, packed.length, 4],
      [24, says.sizeBytes ?? content.length, 4],
      [28, Buffer.byteLength(name), 2],
      [42, says.offset ?? offset, 4],
    ]
    for (const [at, value, bytes] of fields) entry.writeUIntLE(value, at, bytes)
    directory.push(entry, Buffer.from(name))
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    parts.push(local, Buffer.from(name), packed)
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return new File(
    [...parts, listed, end].map((one) => new Uint8Array(one)),
    'made.zip',
  )
}

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

/** Files of a ZIP by name: how many bytes came out, or why none. */
async function outcomesOf(zip: Blob, leftBytes?: number) {
  const opened = await openZip(zip, leftBytes)
  if (opened === 'document') throw new Error('It is a document')
  const outcomes: [string, number | string][] = []
  for await (const one of opened) {
    if ('content' in one) outcomes.push([one.path, (await one.content.arrayBuffer()).byteLength])
    else outcomes.push([one.path, one.reason.kind])
  }
  return outcomes
}

/** Opens as the worker does, on this thread. */
function makeZipReader(): ZipWorker {
  let tell: ((event: { data: unknown }) => void) | undefined
  let items: AsyncGenerator<ZipItem> | undefined
  const reply = async (asked: ZipToOpen | 'more') => {
    if (asked === 'more') {
      const next = await items?.next()
      return next && !next.done ? { kind: 'items', items: [next.value] } : { kind: 'end' }
    }
    const opened = await openZip(asked.zip, asked.leftBytes)
    if (opened === 'document') return { kind: 'document' }
    items = opened
    return reply('more')
  }
  return {
    postMessage: (asked: ZipToOpen | 'more') => {
      void reply(asked)
        .catch(() => ({ kind: 'damaged' }))
        .then((data) => tell?.({ data }))
    },
    addEventListener: (type: string, listener: never) => {
      if (type === 'message') tell = listener
    },
    terminate: () => undefined,
  }
}

function makeReader(): ParseWorker {
  let tell: ((event: { data: unknown }) => void) | undefined
  return {
    postMessage: (files: File[]) => {
      void Promise.all(files.map((file) => readInstance(file))).then((data) => tell?.({ data }))
    },
    addEventListener: (type: string, listener: never) => {
      if (type === 'message') tell = listener
    },
    terminate: () => undefined,
  }
}

async function search(...files: File[]) {
  return searchWithin(undefined, ...files)
}

async function searchWithin(mostUnpackedBytes: number | undefined, ...files: File[]) {
  const limit = mostUnpackedBytes === undefined ? {} : { mostUnpackedBytes }
  const workers = { makeWorker: makeReader, makeZipWorker: makeZipReader, workers: 1, ...limit }
  const found = await findExams(walkFileList(files), { ...workers, onProgress: () => undefined })
  return {
    paths: found.plan.patients.flatMap(({ studies }) =>
      studies.flatMap(({ series }) => series.flatMap((one) => one.files.map(({ path }) => path))),
    ),
    skipped: Object.fromEntries(found.skipped.map(({ path, reason }) => [path, reason.kind])),
    others: found.others.map(({ path }) => path),
  }
}

test('a second choice joins the first: copies are found among both, what was read before is not read again', async () => {
  const workers = { makeWorker: makeReader, makeZipWorker: makeZipReader, workers: 1, onProgress: () => undefined }
  const named = (path: string, bytes: BlobPart) => new File([bytes], path, { lastModified: 1 })
  const [one, other] = [makeDicom(), makeDicom({ sopUid: '1.2.3.1.2' })]
  const note = named('note.txt', 'nothing')
  const first = [named('a', one), note]
  const before = await findExams(walkFileList(first), workers)
  const reads: number[] = []
  const counting = () => {
    const reader = makeReader()
    return { ...reader, postMessage: (files: File[]) => (reads.push(files.length), reader.postMessage(files)) }
  }
  const second = [...first, named('b', one), named('c', other)]
  const both = await findExams(walkFileList(second), { ...workers, makeWorker: counting, before })
  expect(both.plan.fileCount).toBe(2)
  expect(both.skipped.map(({ path, reason }) => [path, reason.kind])).toEqual([
    ['b', 'duplicate'],
    ['note.txt', 'not-dicom'],
  ])
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(2)
  const again = await findExams(walkFileList(second), { ...workers, before: both })
  expect([again.plan.fileCount, again.skipped.length]).toEqual([2, 2])
})

describe('the files of a ZIP', () => {
  test('come out as they were packed, stored or deflated, and folders do not', async () => {
    const zip = makeZip([
      { name: 'CD/', content: bytes(''), isStored: true },
      { name: 'CD/a', content: bytes('stored'), isStored: true },
      { name: 'CD/b', content: new Uint8Array(5000).fill(7) },
    ])
    expect(await outcomesOf(zip)).toEqual([
      ['CD/a', 6],
      ['CD/b', 5000],
    ])
  })

  test('that point outside, have a password or an unknown packing stay in, each with its reason, and their siblings come out', async () => {
    const content = bytes('x')
    const zip = makeZip([
      { name: '../../etc/passwd', content },
      { name: '/etc/passwd', content },
      { name: 'C:\\boot', content },
      { name: 'a/..\\..\\b', content },
      { name: 'locked', content, says: { flags: 1 } },
      { name: 'odd', content, says: { method: 14 } },
      { name: 'good', content },
    ])
    expect(Object.fromEntries(await outcomesOf(zip))).toEqual({
      '../../etc/passwd': 'zip-name',
      '/etc/passwd': 'zip-name',
      'C:/boot': 'zip-name',
      'a/../../b': 'zip-name',
      locked: 'zip-encrypted',
      odd: 'zip-method',
      good: 1,
    })
  })

  test('that unpack to more than they say, to other bytes, or lie elsewhere are damaged', async () => {
    const content = new Uint8Array(100_000)
    const zip = makeZip([
      { name: 'more', content, says: { sizeBytes: 10 } },
      { name: 'less', content, says: { sizeBytes: 100_001 } },
      { name: 'other', content, says: { crc: 1 } },
      { name: 'elsewhere', content, says: { offset: 3 } },
      { name: 'good', content },
    ])
    expect((await outcomesOf(zip)).map(([, outcome]) => outcome)).toEqual([
      'zip-damaged',
      'zip-damaged',
      'zip-damaged',
      'zip-damaged',
      100_000,
    ])
  })

  test('that are more than may still be unpacked stay in; others come out, those stored as they are always', async () => {
    const content = (size: number) => new Uint8Array(size).fill(3)
    const zip = makeZip([
      { name: 'first', content: content(5000) },
      { name: 'second', content: content(5000) },
      { name: 'stored', content: content(9000), isStored: true },
      { name: 'small', content: content(900) },
    ])
    expect(await outcomesOf(zip, 6000)).toEqual([
      ['first', 5000],
      ['second', 'zip-too-large'],
      ['stored', 9000],
      ['small', 900],
    ])
  })

  test('that are a bomb together, though none is by itself, stay in', async () => {
    const [each, much] = [new Uint8Array(1000), 60 * 1024 * 1024]
    const named = (count: number) =>
      makeZip(Array.from({ length: count }, (_, k) => ({ name: `${k}`, content: each, says: { sizeBytes: much } })))
    expect(new Set((await outcomesOf(named(20))).map(([, outcome]) => outcome))).toEqual(
      new Set(['too-large-inflated']),
    )
    expect(new Set((await outcomesOf(named(2))).map(([, outcome]) => outcome))).toEqual(new Set(['zip-damaged']))
  })

  test('that are bombs are not unpacked: a huge one of nothing, and many that share their bytes', async () => {
    expect(await outcomesOf(makeZip([{ name: 'zeros', content: new Uint8Array(65 * 1024 * 1024) }]))).toEqual([
      ['zeros', 'too-large-inflated'],
    ])
    const content = new Uint8Array(Buffer.from(Array.from({ length: 4000 }, (_, k) => (k * 7919) % 251)))
    const shared = Array.from({ length: 4 }, (_, k) => ({ name: `${k}`, content, says: { offset: 0 } }))
    const [first] = shared
    if (!first) throw new Error('No file')
    const one = makeZip([first])
    // the directory of four files above the bytes of one
    const four = makeZip(shared)
    const directoryAt = Number(new DataView(await four.slice(four.size - 22).arrayBuffer()).getUint32(16, true))
    const end = new Uint8Array(await four.slice(four.size - 22).arrayBuffer())
    const bytesOfOne = Number(new DataView(await one.slice(one.size - 22).arrayBuffer()).getUint32(16, true))
    new DataView(end.buffer).setUint32(16, bytesOfOne, true)
    const bomb = new File([one.slice(0, bytesOfOne), four.slice(directoryAt, four.size - 22), end], 'bomb.zip')
    expect((await outcomesOf(bomb)).map(([, outcome]) => outcome)).toEqual(Array(4).fill('too-large-inflated'))
  })
})

describe('a search in ZIP files', () => {
  const image = new Uint8Array(makeDicom())

  test('unpacks no more than a browser can hold, of all ZIPs together, and says what stays in', async () => {
    const zips = ['1', '2', '3'].map((at) => {
      const zip = makeZip([{ name: `IM${at}`, content: new Uint8Array(makeDicom({ sopUid: `1.2.3.1.${at}` })) }])
      return new File([zip], `${at}.zip`)
    })
    const twice = 2 * makeDicom({ sopUid: '1.2.3.1.1' }).byteLength
    const { paths, skipped } = await searchWithin(twice, ...zips)
    expect(paths).toEqual(['1.zip/IM1', '2.zip/IM2'])
    expect(skipped).toEqual({ '3.zip/IM3': 'zip-too-large' })
  })

  test('finds the images in them, tells a ZIP inside, and takes documents that are ZIPs only inside as files', async () => {
    const inner = new Uint8Array(await makeZip([{ name: 'a.dcm', content: image }]).arrayBuffer())
    const zip = makeZip([
      { name: 'CD/IM1', content: image },
      { name: 'CD/inner.zip', content: inner },
      { name: 'CD/readme.txt', content: bytes('A disc') },
    ])
    const letter = new File([makeZip([{ name: '[Content_Types].xml', content: bytes('<a/>') }])], 'letter.docx')
    const half = new File([zip.slice(0, zip.size / 2)], 'half.zip')
    expect(await search(zip, letter, half)).toEqual({
      paths: ['made.zip/CD/IM1'],
      skipped: {
        'made.zip/CD/inner.zip': 'zip',
        'made.zip/CD/readme.txt': 'not-dicom',
        'letter.docx': 'not-dicom',
        'half.zip': 'zip-damaged',
      },
      others: ['letter.docx', 'made.zip/CD/readme.txt'],
    })
  })

  test.skipIf(isCorpusMissing)(`of the corpus at ${corpusFolder} finds what its list says`, async () => {
    const found = async (name: string) => {
      const file = new File([readCorpusFile(`media/zip/${name}`) as Uint8Array<ArrayBuffer>], name)
      const { paths, skipped } = await search(file)
      return [paths.length, Object.values(skipped).toSorted()]
    }
    expect(await found('study-5-files.zip')).toEqual([5, []])
    expect(await found('cd-clinic.zip')).toEqual([23, ['directory']])
    expect(await found('utf8-file-names.zip')).toEqual([2, []])
    expect(await found('nested.zip')).toEqual([1, ['zip']])
    expect(await found('zip-slip.zip')).toEqual([0, ['zip-name', 'zip-name']])
    expect(await found('zip-bomb-100mb.zip')).toEqual([0, ['too-large-inflated']])
    expect(await found('truncated.zip')).toEqual([0, ['zip-damaged']])
    expect((await found('mixed-good-and-bad.zip'))[0]).toBe(1)
    expect((await found('no-dicom-inside.zip'))[0]).toBe(0)
  })
})
