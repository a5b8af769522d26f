import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Association } from '@hilum/dicom/dimse/association'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { echo, store, Verification } from '@hilum/dicom/dimse/services'
import { kindOfStatus } from '@hilum/dicom/dimse/status'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { afterAll, describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { objectPath } from '../../../test/object-path.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from './open-dicom-listener.ts'

const TITLE = 'WALK'
/** Files on their way at once. */
const LANES = 4
const secondaryCapture = '1.2.840.10008.5.1.4.1.1.7'

/**
 * Files of which C-STORE is given something else than the other ways in. C-STORE carries a data set without group 0002,
 * so that what is wrong in group 0002 alone never comes; and a directory's class is not taken, so that it is never
 * sent.
 */
const openCases: Record<string, string> = {
  'malformed/ExplVR_BigEndNoMeta.dcm': 'c000',
  'malformed/missing-sop-class.dcm': 'c000',
  'malformed/uid-too-long.dcm': 'stored',
  'malformed/uid-with-letters.dcm': 'stored',
  'malformed/uid-path-traversal.dcm': 'c000',
  'malformed/uid-surrounding-blanks.dcm': 'stored',
  'malformed/meta-declares-implicit.dcm': 'stored',
  'malformed/missing-transfer-syntax.dcm': 'stored',
  'malformed/private-transfer-syntax.dcm': 'stored',
  'malformed/preamble-exe.dcm': 'stored',
  'malformed/no-preamble-with-meta.dcm': 'stored',
  'malformed/trailing-garbage.dcm': 'stored',
  'malformed/nested-20000-levels.dcm': 'c000',
  'malformed/out-of-order-elements.dcm': 'c000',
  'malformed/duplicate-elements.dcm': 'stored',
  'malformed/command-group-in-dataset.dcm': 'stored',
  'malformed/encapsulated-no-delimiter.dcm': 'c000',
  'malformed/uncompressed-declared-jpeg.dcm': 'stored',
  'malformed/deflate-bomb-200mb.dcm': 'stored',
  'malformed/collisions/duplicate-conflict-2.dcm': 'stored',
  'malformed/collisions/one-study-two-patients-2.dcm': 'stored',
}

describe.skipIf(isCorpusMissing)('[DIMSE] every file of the corpus by C-STORE', async () => {
  const { services, query } = await startTestApp({ HILUM_DICOM_PORT: '0' })
  const listeners = await openDicomListener(services)
  afterAll(() => listeners.close())
  const { namespaceUuid } = await (await makeOrganisation(services.db)).addGroup()
  await putSetting(services.db, 'namespace', namespaceUuid, aeTitleSetting, TITLE)
  const peer: Peer = { host: '127.0.0.1', port: listeners.port, calledTitle: TITLE, callingTitle: 'SENDER' }
  const countListed = async () =>
    (
      await query<{ n: number }>(
        `select count(*)::integer as n from instance where storage_namespace = '${namespaceUuid}'`,
      )
    )[0]?.n

  it('is taken or refused as the manifest says, in an answer of its own, and what is refused is not kept', async () => {
    const bystander = await requestAssociation(peer, [
      { abstractSyntax: Verification, transferSyntaxes: [ImplicitLittleEndian] },
    ])
    // a ZIP is unpacked by whoever sends it
    const files = listCorpus().filter((file) => !file.path.startsWith('media/zip/'))
    const answers = new Map<string, string>()
    const left = files.values()
    const lane = async () => {
      for (const file of left) answers.set(file.path, await send(peer, file))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    const wrong = files.filter((file) => !agrees(answers.get(file.path) ?? '', wanted(file)))
    expect(wrong.map((file) => [file.path, answers.get(file.path), wanted(file)])).toEqual([])

    const stored = files.filter((file) => answers.get(file.path) === 'stored')
    const different = new Set(stored.map((file) => fingerprint(readCorpusFile(file.path))))
    expect(await countListed()).toBe(different.size)
    const kept = await query<{ object_key: string }>(`select distinct object_key from blob`)
    expect((await listObjects()).toSorted()).toEqual(kept.map((row) => row.object_key).toSorted())
    expect(await echo(bystander)).toMatchObject({ status: 0 })
    await bystander.release()
  })

  it('again gives no second copy', async () => {
    const before = await countListed()
    for (const file of listCorpus('studies/us-stress-echo/')) expect(await send(peer, file)).toBe('stored')
    expect(await countListed()).toBe(before)
  })

  async function listObjects(): Promise<string[]> {
    const root = objectPath(services.config)
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ''))
  }
})

/** The receiver's answer: `stored`, a failure's status in hex, or that the class was not taken. */
async function send(peer: Peer, file: CorpusFile): Promise<string> {
  const { transferSyntax, data } = split(readCorpusFile(file.path))
  const sopClass = file.sop_class || (file.path.includes('DICOMDIR') ? '1.2.840.10008.1.3.10' : secondaryCapture)
  const association = await requestAssociation(peer, [
    { abstractSyntax: sopClass, transferSyntaxes: [transferSyntax || file.transfer_syntax || ExplicitLittleEndian] },
  ])
  try {
    return await ask(association, { sopClass, sopInstance: (file.sop_uid || '1.2.3').trim(), data: piecesOf(data) })
  } finally {
    await association.release().catch((error) => {
      if (!(error instanceof DimseError)) throw error
    })
  }
}

async function ask(association: Association, object: Parameters<typeof store>[2]): Promise<string> {
  const [context] = association.contexts.values()
  if (!context) return 'class not taken'
  const { status, comment } = await store(association, context, object)
  // one of two with the same name is kept, with a warning
  if (kindOfStatus(status) === 'success' || kindOfStatus(status) === 'warning') return 'stored'
  return comment === '' ? 'no reason' : status.toString(16)
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The bytes behind group 0002, as a sender finds them that looks at nothing else; and the syntax named there. */
function split(bytes: Uint8Array): { transferSyntax: string; data: Uint8Array } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = buffer.toString('latin1', 128, 132) === 'DICM' ? 132 : 0
  let transferSyntax = ''
  while (at + 12 <= buffer.length && buffer.readUInt16LE(at) === 2) {
    const isLong = ['OB', 'UN'].includes(buffer.toString('latin1', at + 4, at + 6))
    const start = at + (isLong ? 12 : 8)
    const end = start + (isLong ? buffer.readUInt32LE(at + 8) : buffer.readUInt16LE(at + 6))
    if (buffer.readUInt16LE(at + 2) === 0x10)
      transferSyntax = buffer.toString('latin1', start, end).replaceAll(/[\0 ]+$/g, '')
    at = end
  }
  return { transferSyntax, data: bytes.subarray(at) }
}

/** Two files with one fingerprint are one object when they come by C-STORE. */
function fingerprint(bytes: Uint8Array): string {
  const { transferSyntax, data } = split(bytes)
  return createHash('sha256').update(transferSyntax).update(data).digest('hex')
}

function wanted(file: CorpusFile): string {
  if (file.expected !== 'either') return file.expected
  return openCases[file.path] ?? (file.path.startsWith('media/') ? 'class not taken' : 'undecided')
}

function agrees(answer: string, options: string): boolean {
  if (options === 'accept') return answer === 'stored'
  if (options === 'reject') return /^(a9|c0)00$/.test(answer)
  return answer === options
}
