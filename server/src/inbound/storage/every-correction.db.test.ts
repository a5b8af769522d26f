import type { AddressInfo } from 'node:net'
import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { concatBytes, encodeElements, encodeItem, encodeRaw } from '@hilum/dicom/write-part10'
import { afterAll, describe, expect, test } from 'vitest'
import { type Passage, scripts, walkDoors } from '../../../test/correction-doors.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { addMember } from '../../../test/storage-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from '../http/app.ts'

const { services, folder, query } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
afterAll(() => app.close())
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const encoding = { isExplicit: true, isLittleEndian: true }
const latin = (text: string) => Buffer.from(text, 'latin1')

/**
 * One image in a group of its own, its record corrected as a person does it; what leaves through each door then.
 * @param byLink whether it is asked for by somebody who opened a link to it
 */
async function walk(
  bytes: Uint8Array,
  studyUid: string,
  sopUid: string,
  { name, mrn, byLink = false }: { name: string; mrn: string; byLink?: boolean },
): Promise<Passage[]> {
  const { sid, namespace, account, user } = await addMember(services.db, [
    'study_upload',
    'study_view',
    'study_edit',
    'study_download',
  ])
  const stored = await fetch(`${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
  })
  if (stored.status !== 202) return [{ door: 'upload', verdict: 'old', detail: String(stored.status) }]
  const key = { study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
  const set = await fetch(`${origin}/api/v3/study/set`, {
    method: 'POST',
    body: new URLSearchParams({ sid, ...key, patient_name: name, patientid: mrn }),
  })
  expect([set.status, await set.json()]).toMatchObject([200, { status: 'OK' }])
  const study = { studyUid, files: new Map([[sopUid, bytes]]), name, mrn, isMixed: false }
  const passages: Passage[] = []
  const asking = byLink ? await linkTo(studyUid, namespace, { accountUuid: account, createdBy: user }) : sid
  for await (const passage of walkDoors({ origin, sid: asking, namespace }, study, false)) passages.push(passage)
  return passages
}

/** The sid of somebody who opened a link to a study. */
async function linkTo(
  studyUid: string,
  namespace: string,
  by: { accountUuid: string; createdBy: string },
): Promise<string> {
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const studies = [{ phi_namespace: namespace, uuid: record?.uuid ?? '' }]
  return openLink(
    services.db,
    await makeLink(services.db, { ...by, studies, permissions: ['study_view', 'study_download'] }),
  )
}

const pixels = (studyUid: string, more: { tag: number; vr: string; value: Uint8Array | string }[]) =>
  madeImage({
    studyUid,
    number: 1,
    more: [
      { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
      { tag: Tag.PatientName, vr: 'PN', value: latin('Müller^Jörg') },
      { tag: Tag.StudyDescription, vr: 'LO', value: latin('Schädel nativ') },
      ...more,
    ],
  })

const bodies: readonly [string, (studyUid: string) => Uint8Array][] = [
  ['texts in ISO_IR 100', (studyUid) => pixels(studyUid, [])],
  ['a private text', (studyUid) => pixels(studyUid, [{ tag: 0x00090010, vr: 'LO', value: latin('HÄUSLER') }])],
  [
    'a second name behind the pixels',
    (studyUid) =>
      concatBytes([
        pixels(studyUid, []),
        encodeElements([{ tag: Tag.PatientName, vr: 'PN', value: latin('Müller^Jörg') }], encoding),
      ]),
  ],
  ['a sex in small letters', (studyUid) => pixels(studyUid, [{ tag: Tag.PatientSex, vr: 'CS', value: 'm' }])],
  [
    'a name too long for the list',
    (studyUid) => pixels(studyUid, [{ tag: Tag.PatientName, vr: 'PN', value: 'N'.repeat(600) }]),
  ],
]

describe('what leaves of a corrected image says the new identity, or does not leave', () => {
  test.each(bodies.flatMap(([what, bodyOf]) => [scripts[0], scripts[6]].map((to) => ({ what, bodyOf, ...to }))))(
    'an image with $what, corrected to $script',
    async ({ bodyOf, name = '', mrn = '' }) => {
      const studyUid = newUid()
      const passages = await walk(bodyOf(studyUid), studyUid, `${studyUid}.1.1`, { name, mrn })
      expect(passages.filter(({ verdict }) => verdict !== 'right')).toEqual([])
    },
  )

  test.each(bodies.map(([what, bodyOf], index) => ({ what, bodyOf, ...scripts[index * 2] })))(
    'an image with $what, corrected to $script and opened by a link',
    async ({ bodyOf, name = '', mrn = '' }) => {
      const studyUid = newUid()
      const passages = await walk(bodyOf(studyUid), studyUid, `${studyUid}.1.1`, { name, mrn, byLink: true })
      expect(passages.filter(({ verdict }) => verdict === 'old')).toEqual([])
      // calls are for people who are signed in
      const closed = passages.filter(({ verdict }) => verdict === 'refused').map(({ door }) => door)
      expect(closed).toEqual(['study/get', 'study/list'])
    },
  )

  test('an image whose texts cannot all be read leaves nowhere under either identity, and every door says so', async () => {
    const studyUid = newUid()
    const broken = encodeItem(Uint8Array.of(0x08, 0, 0x04, 0x01, 0x4c, 0x4f, 0xff, 0), encoding)
    const sequence = encodeRaw(0x00400555, 'SQ', broken, encoding).subarray(12)
    const passages = await walk(
      pixels(studyUid, [{ tag: 0x00400555, vr: 'SQ', value: sequence }]),
      studyUid,
      `${studyUid}.1.1`,
      { name: 'Kovač^Luka', mrn: '55512' },
    )
    expect(passages.filter(({ verdict }) => verdict === 'old')).toEqual([])
    const refused = passages.filter(({ verdict }) => verdict === 'refused')
    for (const { door, detail } of refused) expect([door, detail]).toEqual([door, expect.stringContaining('cannot be')])
    expect(refused.map(({ door }) => door)).toEqual(
      expect.arrayContaining(['WADO-RS study as *', 'WADO-RS metadata of the instance', 'payload ']),
    )
  })
})

/** The smallest image of each character set, and of each way in which elements and pixels are encoded. */
function sample() {
  const files = listCorpus().filter(({ path, expected }) => expected === 'accept' && !path.startsWith('media/zip/'))
  const smallest = new Map<string, (typeof files)[number]>()
  for (const file of files.toSorted((a, b) => Number(a.size) - Number(b.size))) {
    const { isExplicit, isLittleEndian, isDeflated, isEncapsulated } = transferSyntaxOf(file.transfer_syntax ?? '')
    const encoding = JSON.stringify([isExplicit, isLittleEndian, isDeflated, isEncapsulated])
    for (const kind of [`text ${file.charset}`, encoding]) if (!smallest.has(kind)) smallest.set(kind, file)
  }
  return [...new Set(smallest.values())]
}

/** No file of the corpus stands against leaving corrected as it is stored. */
const everOpen = [
  'WADO-RS study as *',
  'WADO-RS metadata of the instance',
  'payload ',
  'download bundle=dicom',
  'image json',
]

describe.skipIf(isCorpusMissing)('of every kind of file in the corpus', () => {
  const files = sample()
  test.each(files.map((file, index) => ({ file, path: file.path, to: scripts[index % scripts.length] })))(
    '$path leaves with its correction or not at all',
    async ({ file, to }) => {
      const { study_uid = '', sop_uid = '', path } = file
      const passages = await walk(readCorpusFile(path), study_uid, sop_uid, to as (typeof scripts)[number])
      expect(passages.filter(({ verdict }) => verdict === 'old')).toEqual([])
      const right = passages.filter(({ verdict }) => verdict === 'right').map(({ door }) => door)
      expect(right).toEqual(expect.arrayContaining(everOpen))
    },
  )
})
