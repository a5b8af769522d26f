import { newUid } from '@hilum/dicom/uid'
import { describe, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-organisation.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { completeQuietStudies, completeStudy } from './complete-study.command.ts'

const storage = await startStorage()

/** One image of the member's only study. */
async function upload(member: Member, number: number): Promise<void> {
  expect(
    (
      await uploadImage(
        storage,
        member,
        madeImage({ studyUid: `2.25.${BigInt(`0x${member.user.replaceAll('-', '')}`)}`, number }),
      )
    ).status,
  ).toBe(202)
}

type Row = { uuid: string; phi_namespace: string; arrival: string; complete_at: Date | null }
async function readRecord(member: Member): Promise<Row> {
  const rows = await storage.query<Row>(
    `select uuid, phi_namespace, arrival, complete_at from study where phi_namespace = '${member.namespace}'`,
  )
  return rows[0] as Row
}

async function listEvents(member: Member): Promise<string[]> {
  const rows = await storage.query<{ kind: string }>(
    `select kind from event where namespace_uuid = '${member.namespace}' order by id`,
  )
  return rows.map((row) => row.kind)
}

const sync = async (member: Member) => {
  const record = await readRecord(member)
  return storage.db.transaction().execute((tx) => completeStudy(tx, record, new Date()))
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

describe('a study that is arriving', () => {
  test('is complete after 90 seconds of quiet, not before, and tells so once', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 1)
    await completeQuietStudies(storage.services, inSeconds(85))
    expect((await readRecord(member)).arrival).toBe('receiving')
    await completeQuietStudies(storage.services, inSeconds(95))
    await completeQuietStudies(storage.services, inSeconds(96))
    expect((await readRecord(member)).arrival).toBe('complete')
    expect(await listEvents(member)).toEqual(['study', 'ready'])
  })

  test('is named when it is complete, and only then the open pages are rung', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 1)
    const { uuid, phi_namespace } = await readRecord(member)
    const ring = vi.fn<() => void>()
    const services = { db: storage.db, events: { ...storage.services.events, ring } }
    expect(await completeQuietStudies(services, inSeconds(80))).toEqual([])
    expect(ring).not.toHaveBeenCalled()
    expect(await completeQuietStudies(services, inSeconds(95))).toContainEqual({ uuid, phi_namespace })
    expect(ring).toHaveBeenCalledOnce()
  })

  test('and to which nothing came since it was ready is told of as changed alone', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 1)
    await sync(member)
    await storage.query(`update study set arrival = 'receiving' where phi_namespace = '${member.namespace}'`)
    expect(await sync(member)).toBe(true)
    expect(await listEvents(member)).toEqual(['study', 'ready', 'study'])
  })

  test('without an image stays announced, whatever its sender says', async () => {
    const member = await storage.addMember(['study_upload'])
    await makeStudy(storage.db, { namespaceUuid: member.namespace, accountUuid: member.account })
    await storage.query(`update study set arrival = 'announced' where phi_namespace = '${member.namespace}'`)
    expect(await sync(member)).toBe(false)
    expect((await readRecord(member)).arrival).toBe('announced')
    expect(await listEvents(member)).toEqual([])
  })

  test('stays visibly incomplete when fewer images came than were announced', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 1)
    await storage.query(`update study set expected_count = 60 where phi_namespace = '${member.namespace}'`)
    await completeQuietStudies(storage.services, inSeconds(95))
    expect((await readRecord(member)).arrival).toBe('incomplete')
  })

  test('counts what is kept beside an image of the same name among those that were sent', async () => {
    const member = await storage.addMember(['study_upload'])
    const studyUid = newUid()
    for (const birthDate of ['19700101', '19700102'])
      await uploadImage(storage, member, madeImage({ studyUid, number: 1, birthDate }))
    await storage.query(`update study set expected_count = 2 where phi_namespace = '${member.namespace}'`)
    await sync(member)
    expect((await readRecord(member)).arrival).toBe('complete')
  })

  test('is complete at once when its sender says so, and open again when more images come', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 1)
    expect(await sync(member)).toBe(true)
    expect(await readRecord(member)).toMatchObject({ arrival: 'complete', complete_at: null })
    await upload(member, 1)
    expect((await readRecord(member)).arrival).toBe('complete')
    await upload(member, 2)
    expect((await readRecord(member)).arrival).toBe('receiving')
  })
})
