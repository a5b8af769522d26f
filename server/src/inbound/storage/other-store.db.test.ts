import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual as isSame } from 'node:util'
import { readCorpusFile } from '@hilum/dicom/node/corpus'
import { inflate } from '@hilum/dicom/node/inflate'
import { readDataSet } from '@hilum/dicom/read'
import { rewritten, type Writing } from '@hilum/dicom/synthetic/rewritten'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findText } from '@hilum/dicom/values'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askDoor, doorsOfBytes } from '../../../test/byte-doors.ts'
import { corpusFile, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { contentsOf } from '../../../test/door-contents.ts'
import { lendingStore } from '../../../test/lending-store.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { madeVideo } from '../../../test/made-video.ts'

const server = await startDicomweb()
const { services } = server
const ownStore = services.store
const lentFolder = join(server.folder, 'lent')
const lending = lendingStore(ownStore, lentFolder)
beforeEach(() => {
  services.store = lending
  lending.lent.total = 0
})
afterEach(() => {
  services.store = ownStore
})

/** Files lent, all of which are gone by now. */
async function lentSoFar(): Promise<number> {
  expect([lending.lent.inUse, await readdir(lentFolder)]).toEqual([0, []])
  return lending.lent.total
}

test('a path that is kept beyond its use leads nowhere', async () => {
  const writer = await lending.begin('a/b/c')
  await writer.write([Buffer.from('0123456789')])
  await lending.finish([writer])
  const place = { object_key: writer.key, byte_offset: 2, length: 3 }
  const kept = await lending.useFile(place, async ({ path }) => path)
  await expect(access(kept)).rejects.toThrow('ENOENT')
  expect(await lentSoFar()).toBe(1)
})

const plain: Writing = {
  syntax: 'explicit',
  hasUndefinedLengths: true,
  hasGroupLengths: false,
  hasTrailingPadding: false,
  hasOtherMeta: true,
  hasCutFragments: false,
  hasMoreBlanks: false,
}
const mp4 = Buffer.from('\0\0\0\x18ftypisom and the rest')
const corpus = (part: string) => () => new Uint8Array(readCorpusFile(corpusFile(part).path))
const fortyFrames = (studyUid: string) => madeImage({ studyUid, number: 1, frames: 40 })
const deflated = (studyUid: string) =>
  rewritten(madeImage({ studyUid, number: 1, frames: 2 }), { ...plain, syntax: 'deflated' })
const video = (studyUid: string) =>
  madeVideo(studyUid, '1.2.840.10008.1.2.4.102', [mp4.subarray(0, 7), mp4.subarray(7)])

test.each([
  ['forty frames', fortyFrames],
  ['a deflated data set', deflated],
  ['a video', video],
  ['JPEG lossless', corpus('4.70_jpeg-lossless-sv1_MR1')],
  ['RLE in colours', corpus('1.2.5_rle_US1-rgb')],
  ['JPEG of many frames', corpus('4.50_jpeg-baseline_US-multiframe-ybr')],
])('every door gives of %s from a store that lends copies what it gives of files in a folder', async (_, make) => {
  const member = await server.addMember(['study_upload', 'study_view', 'study_download'])
  const bytes = make(newUid())
  expect((await uploadImage(server, member, bytes)).status).toBe(202)
  const { dataSet } = readDataSet(bytes, { inflate })
  const [study = '', series = '', sop = ''] = [Tag.StudyInstanceUID, Tag.SeriesInstanceUID, Tag.SOPInstanceUID].map(
    (tag) => findText(dataSet, tag),
  )
  const doors = doorsOfBytes(server, member, { study, series, sop })
  // the one that lends goes first: pictures and metadata are kept once they are made
  const askAll = async () => {
    const answers = []
    for (const door of doors) {
      const { status, body } = await askDoor(member, door)
      answers.push({ door, status, contents: status === 200 ? contentsOf(door, body) : [] })
    }
    return answers
  }
  const lent = await askAll()
  services.store = ownStore
  const own = await askAll()
  expect(lent.map(({ door, status }) => ({ door, status }))).toEqual(own.map(({ door, status }) => ({ door, status })))
  for (const [index, { door, contents }] of lent.entries())
    expect([door, isSame(contents, own[index]?.contents)]).toEqual([door, true])
  expect(lent.filter(({ status }) => status === 200).length).toBeGreaterThan(10)
  expect(await lentSoFar()).toBeGreaterThan(0)
})

test('images are made of what is attached, and versions are compared, by copies', async () => {
  const member = await server.addMember(['study_upload', 'study_view', 'study_report_upload', 'study_report_view'])
  const studyUid = newUid()
  const file = madeImage({ studyUid, number: 1 })
  await uploadImage(server, member, file)
  const form = new FormData()
  form.append('data', new Blob([new Uint8Array(madePdf([[595, 842]]))]), 'letter.pdf')
  const study = `${server.base}/study/${member.namespace}/${studyUid}`
  const attached = await fetch(`${study}/attachment?synchronous_wrap=1&sid=${member.sid}`, {
    method: 'POST',
    body: form,
  })
  expect([attached.status, await attached.json()]).toEqual([
    202,
    expect.objectContaining({ images: [expect.objectContaining({ outcome: 'stored' })] }),
  ])
  expect(await lentSoFar()).toBe(1)
  const same = await uploadImage(server, member, rewritten(file, { ...plain, syntax: 'implicit' }))
  expect(same.body.outcome).toBe('duplicate')
  const other = await uploadImage(
    server,
    member,
    rewritten(file, plain, ({ tag, value }) => (tag === Tag.PatientSex ? new TextEncoder().encode('M ') : value)),
  )
  expect(other.body.outcome).toBe('conflict')
  expect(await lentSoFar()).toBe(5)
})
