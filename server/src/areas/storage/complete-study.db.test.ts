import { isCorpusMissing, readCorpusFile } from '@hilum/dicom/node/corpus'
import { newUid } from '@hilum/dicom/uid'
import { describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { completeQuietStudies, completeStudy } from './complete-study.command.ts'

const storage = await startStorage()

async function upload(member: Member, name: string): Promise<void> {
  const body = new Uint8Array(readCorpusFile(`studies/ct-head-phantom-visit1/series201/${name}.dcm`))
  const reply = await fetch(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, {
    method: 'POST',
    body,
  })
  expect(reply.status).toBe(202)
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

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

describe.skipIf(isCorpusMissing)('a study that is arriving', () => {
  test('is complete after 90 seconds of quiet, not before, and tells so once', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 'IM0001')
    await completeQuietStudies(storage.services, inSeconds(85))
    expect((await readRecord(member)).arrival).toBe('receiving')
    await completeQuietStudies(storage.services, inSeconds(95))
    await completeQuietStudies(storage.services, inSeconds(96))
    expect((await readRecord(member)).arrival).toBe('complete')
    expect(await listEvents(member)).toEqual(['study', 'ready'])
  })

  test('stays visibly incomplete when fewer images came than were announced', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 'IM0001')
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
    await completeStudy(storage.db, await readRecord(member), new Date())
    expect((await readRecord(member)).arrival).toBe('complete')
  })

  test('is complete at once when its sender says so, and open again when more images come', async () => {
    const member = await storage.addMember(['study_upload'])
    await upload(member, 'IM0001')
    expect(await completeStudy(storage.db, await readRecord(member), new Date())).toBe(true)
    expect(await readRecord(member)).toMatchObject({ arrival: 'complete', complete_at: null })
    await upload(member, 'IM0001')
    expect((await readRecord(member)).arrival).toBe('complete')
    await upload(member, 'IM0002')
    expect((await readRecord(member)).arrival).toBe('receiving')
  })
})
