import { isDeepStrictEqual as isSame } from 'node:util'
import { newUid } from '@hilum/dicom/uid'
import { afterEach, expect, test } from 'vitest'
import { askDoor, doorsOfBytes } from '../../../test/byte-doors.ts'
import { contentsOf } from '../../../test/door-contents.ts'
import { startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { failingStore, type StoreTrouble } from '../../../test/failing-store.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'
import { limitStore } from '../../outbound/storage/limit-store.ts'

const server = await startDicomweb()
const { services } = server
const failing = failingStore(services.store)
// in turns with other work a store that is well may take seconds
const patient = limitStore(failing)
const impatient = limitStore(failing, { readMs: 200, writeMs: 200, finishMs: 200 })
services.store = patient
afterEach(() => {
  services.store = patient
  failing.trouble = undefined
})

const all = ['study_upload', 'study_view', 'study_download', 'study_report_upload', 'study_report_view'] as const
const silence = 'The server’s store does not answer'

async function uploaded(member: Member, number = 1) {
  const study = newUid()
  const { status } = await uploadImage(server, member, madeImage({ studyUid: study, number, frames: 2 }))
  expect(status).toBe(202)
  return { study, series: `${study}.1`, sop: `${study}.1.${number}` }
}

const keyOf = async (sop: string) =>
  (
    await server.query<{ object_key: string }>(
      `select b.object_key from instance i join blob b using (account_uuid, sha256, generation) where i.sop_uid = '${sop}'`,
    )
  )[0]?.object_key ?? ''

function begin(trouble: StoreTrouble): void {
  failing.trouble = trouble
  if (trouble === 'silent') services.store = impatient
}

/** The words of a door's answer: `message` of the storage API, `error` of DICOMweb. */
function wordsOf(body: Buffer): string {
  const { message, error } = JSON.parse(String(body)) as { message?: string; error?: string }
  return message ?? error ?? ''
}

test.each<[StoreTrouble, number, string]>([
  ['silent', 503, silence],
  ['empty', 500, 'The stored file is missing from the server’s store'],
  ['broken', 500, 'The server’s store cannot read the file'],
  ['mixed up', 500, 'The server’s store gave another file than the one that was stored'],
])('a store that is %s is told of in words at every door, and nothing hangs', async (trouble, status, words) => {
  const member = await server.addMember(all)
  const names = await uploaded(member)
  const other = await uploaded(member, 2)
  failing.other = await keyOf(other.sop)
  begin(trouble)
  for (const door of doorsOfBytes(server, member, names)) {
    // no video is one without a look at it
    if (door[0].endsWith('/video')) continue
    const answer = await askDoor(member, door)
    expect([door, answer.status, wordsOf(answer.body)]).toEqual([door, status, words])
  }
  // nothing of it stays: the same doors open again
  failing.trouble = undefined
  services.store = patient
  for (const door of doorsOfBytes(server, member, names)) {
    if (door[0].endsWith('/video')) continue
    expect([door, (await askDoor(member, door)).status]).toEqual([door, 200])
  }
})

test('a store that is slow gives the same at every door as one that is quick', async () => {
  const member = await server.addMember(all)
  const names = await uploaded(member)
  const doors = doorsOfBytes(server, member, names).filter(([path]) => !path.endsWith('/video'))
  expect(doors.length).toBeGreaterThan(5)
  for (const door of doors) {
    const quick = await askDoor(member, door)
    begin('slow')
    const slow = await askDoor(member, door)
    failing.trouble = undefined
    expect([door, slow.status]).toEqual([door, 200])
    expect([door, isSame(contentsOf(door, slow.body), contentsOf(door, quick.body))]).toEqual([door, true])
  }
})

test('a store that takes nothing refuses uploads in words, and senders may come again', async () => {
  const member = await server.addMember(all)
  begin('silent')
  const refused = await uploadImage(server, member, madeImage({ studyUid: newUid(), number: 1 }))
  expect([refused.status, refused.body.message]).toEqual([503, silence])
  const stowed = await server.stow(member, [madeImage({ studyUid: newUid(), number: 1 })])
  expect([stowed.status, JSON.stringify(stowed.json)]).toEqual([503, expect.stringContaining(silence)])
})

test('what is attached is not given either, and said so', async () => {
  const member = await server.addMember(all)
  const { study } = await uploaded(member)
  const attachment = `${server.base}/study/${member.namespace}/${study}/attachment`
  const form = new FormData()
  form.append('data', new Blob(['a note']), 'note.txt')
  const kept = await fetch(`${attachment}?sid=${member.sid}`, { method: 'POST', body: form })
  const { id, version } = (await kept.json()) as { id: string; version: string }
  begin('silent')
  const { status, body } = await askDoor(member, [`${attachment}/${id}/version/${version}`])
  expect([status, wordsOf(body)]).toEqual([503, silence])
})
