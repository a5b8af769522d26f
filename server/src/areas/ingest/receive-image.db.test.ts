import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { correctFile } from '@hilum/dicom/node/correct-file'
import { readHeader } from '@hilum/dicom/read'
import { concatBytes, writePart10 } from '@hilum/dicom/write-part10'
import { expect, test } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { openDatabase } from '../../db/database.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { sentAsOf } from '../altered/sent-as.ts'
import { noteDeparture } from '../altered/departure.sql.ts'
import { receiveImage, TRANSFER_QUIET_SECONDS } from './receive-image.command.ts'

const storage = await startStorage()
/** As another process over the same database and folder: it shares no commits with the first. */
const otherProcess = { ...storage.services }

function makeImage(studyUid: string, number: number): Uint8Array {
  return writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: `${studyUid}.${number}` },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${studyUid}.0` },
    { tag: Tag.PatientName, vr: 'PN', value: 'Double^Send' },
    { tag: Tag.PatientID, vr: 'LO', value: 'D1' },
    { tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(5000).fill(number) },
  ])
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += 1500) yield bytes.subarray(offset, offset + 1500)
}

test('two processes that take the same studies in at once store each image once', async () => {
  const member = await storage.addMember(['study_upload'])
  const studies = [newUid(), newUid(), newUid()]
  const images = studies.flatMap((studyUid) => Array.from({ length: 15 }, (_, index) => makeImage(studyUid, index + 1)))
  const arrival = {
    namespaceUuid: member.namespace,
    accountUuid: member.account,
    source: 'harvest' as const,
    sourceName: 'SCANNER',
    quietSeconds: TRANSFER_QUIET_SECONDS,
  }
  const send = (services: typeof otherProcess, all: readonly Uint8Array[]) =>
    Promise.all(
      all.map((bytes) => receiveImage(services, { ...arrival, contentLength: bytes.length }, inChunks(bytes))),
    )
  const outcomes = (await Promise.all([send(storage.services, images), send(otherProcess, images.toReversed())])).flat()
  expect(outcomes.filter((one) => one.outcome === 'stored')).toHaveLength(45)
  expect(outcomes.filter((one) => one.outcome === 'duplicate')).toHaveLength(45)
  const rows = await storage.query(`
    select s.source, s.source_ae_title, t.image_count, t.conflict_count, e.image_count as series_images,
      (select count(*)::integer from instance i where i.study_key = t.key) as instances
    from study s
    join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    join series e on e.storage_namespace = t.storage_namespace and e.study_key = t.key
    where s.phi_namespace = '${member.namespace}'`)
  const expected = {
    source: 'harvest',
    source_ae_title: 'SCANNER',
    image_count: 15,
    conflict_count: 0,
    series_images: 15,
    instances: 15,
  }
  expect(rows).toEqual([expected, expected, expected])
})

test('the same bytes in two namespaces of an account lie on disk once, and each finds them', async () => {
  const member = await storage.addMember(['study_upload'])
  const bytes = makeImage(newUid(), 1)
  const namespaces = await storage.query<{ uuid: string }>(
    `select uuid from namespace where account_uuid = '${member.account}' order by uuid`,
  )
  for (const { uuid } of namespaces) {
    const arrival = { namespaceUuid: uuid, accountUuid: member.account, source: 'upload' as const, quietSeconds: 90 }
    expect((await receiveImage(storage.services, arrival, inChunks(bytes))).outcome).toBe('stored')
  }
  const [count] = await storage.query(`
    select count(distinct object_key)::integer as objects, (select count(*)::integer from instance where account_uuid = '${member.account}') as instances
    from blob where account_uuid = '${member.account}'`)
  expect(count).toEqual({ objects: 1, instances: namespaces.length })
})

test('a connection that ends is told as the sender’s only when it is the sender’s', async () => {
  const member = await storage.addMember(['study_upload'])
  const place = { namespaceUuid: member.namespace, accountUuid: member.account }
  const arrival = { ...place, source: 'upload' as const, quietSeconds: TRANSFER_QUIET_SECONDS }
  const bytes = makeImage(newUid(), 1)
  async function* cutShort() {
    yield bytes.subarray(0, 1500)
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  await expect(receiveImage(otherProcess, arrival, cutShort())).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('ended before the file did'),
  })

  const lost = createServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1')
  await once(lost, 'listening')
  const { port } = lost.address() as AddressInfo
  const { db } = openDatabase({ connectionString: `postgresql://nobody@127.0.0.1:${port}/none` })
  // not the sender's fault: told as ours, so that it sends again
  await expect(receiveImage({ ...otherProcess, db }, arrival, inChunks(bytes))).rejects.toMatchObject({
    code: 'STORE_OPERATION_FAILED',
    message: expect.stringContaining('database'),
  })
  await db.destroy()
  lost.close()
})

test('an image that we corrected on its way out is known when it comes back, where its study has left under its patient', async () => {
  const member = await storage.addMember(['study_upload'])
  const arrival = {
    namespaceUuid: member.namespace,
    accountUuid: member.account,
    source: 'upload' as const,
    quietSeconds: 90,
  }
  const receive = async (bytes: Uint8Array) => (await receiveImage(storage.services, arrival, inChunks(bytes))).outcome
  const corrected = (bytes: Uint8Array, mrn = 'H-7') => {
    const read = readHeader(bytes, { size: bytes.length, untilPixelData: true })
    if (read.kind !== 'header') throw new Error('The header is incomplete')
    const edits = [{ tag: Tag.PatientID, old: 'D1', new: mrn }]
    const { prefix, tailOffset } = correctFile(bytes, read.header, { edits, modifiedAt: '20261129' })
    return concatBytes([prefix, bytes.subarray(tailOffset)])
  }
  const { uuid: destination } = await makeDestination(storage, member.account)
  const [sent, unsent] = [newUid(), newUid()]
  for (const studyUid of [sent, unsent]) expect(await receive(makeImage(studyUid, 1))).toBe('stored')
  const [record] = await storage.query<{ uuid: string }>(`select uuid from study where study_uid = '${sent}'`)
  const key = { phi_namespace: member.namespace, uuid: record?.uuid ?? '' }
  await noteDeparture(storage.services.db, key, destination, Buffer.from('as another left'))
  expect(await receive(corrected(makeImage(sent, 1), 'H-8'))).toBe('conflict')
  const outgoing = await findOutgoingRecord(storage.services.db, key.phi_namespace, key.uuid)
  if (!outgoing) throw new Error('There is no record')
  await noteDeparture(storage.services.db, key, destination, sentAsOf({ ...outgoing, patientid: 'H-7' }))
  expect(await receive(corrected(makeImage(sent, 1)))).toBe('duplicate')
  // once more, without comparing
  expect(await receive(corrected(makeImage(sent, 1)))).toBe('duplicate')
  expect(await receive(corrected(makeImage(unsent, 1)))).toBe('conflict')
  // somebody else's correction, of whatever patient, is looked at
  expect(await receive(corrected(makeImage(sent, 1), 'H-9'))).toBe('conflict')
  expect(await storage.query(`select conflict_count from stored_study where study_uid = '${sent}'`)).toEqual([
    { conflict_count: 2 },
  ])
})
