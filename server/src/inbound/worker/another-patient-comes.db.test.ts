import { permissions } from '@hilum/contract/permissions'
import { StorageError } from '@hilum/contract/storage-errors'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { comeBetween } from '../../../test/come-between.ts'
import { madeCaller, madeMembership } from '../../../test/made-caller.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import { planDownload } from '../../areas/archive/plan-download.command.ts'
import { WorkFailure } from '../../areas/job/work-failure.ts'
import { openNamelessSource } from '../../areas/nameless/nameless-source.command.ts'
import { pushStudyActs } from '../../areas/push/push-study.job.ts'
import { clearForAsker, openRetrieval } from '../../areas/query/open-retrieval.command.ts'
import { collectParts, lengthOfParts } from '../../areas/storage/parts.ts'
import type { Services } from '../../services.ts'

/*
 * An image of another patient that comes while the images of an exam leave: behind the first statement of the door, the
 * second, and so on to the last. Wherever it comes, it never leaves as the patient whom somebody confirmed.
 */

const { services, call, query, app } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const pacs = await startScriptedPeer('PACS')
const { uuid: destination } = await makeDestination({ query }, accountUuid, { port: pacs.port, title: pacs.title })
const everyone = await visibleStudies(madeCaller([madeMembership(group.namespaceUuid, permissions)]))

interface Exam {
  studyUid: string
  record: StudyRecord
  /** SOP Instance UIDs: the one of the patient, and the one of somebody else. */
  own: string
  foreign: string
  pushUuid: string
}

async function upload(image: Uint8Array): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(image),
  })
  expect([reply.statusCode, reply.body]).toEqual([202, expect.any(String)])
  return textIn(image, Tag.SOPInstanceUID)
}

const imageOf = (studyUid: string, number: number, name: string) =>
  madeImage({ studyUid, number, patientName: name, patientId: name, birthDate: '19700101' })

/** An exam of one image whose patient somebody corrected, and that waits to be pushed. */
async function addExam(): Promise<Exam> {
  const studyUid = newUid()
  const own = await upload(imageOf(studyUid, 1, 'DOE^JANE'))
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = row?.uuid ?? ''
  await call('study/sync', { sid: staff.sid, uuid, image_count: 1 })
  await call('study/set', { sid: staff.sid, study_id: uuid, patientid: 'H-1' })
  await call('study/push', { sid: staff.sid, uuid, destination_id: destination })
  const [push] = await query<{ uuid: string }>(`select uuid from push where study_uuid = '${uuid}'`)
  const record = await findRecordByUuid(services.db, uuid)
  if (!record) throw new Error('the exam is not there')
  const foreign = textIn(imageOf(studyUid, 2, 'ROE^RICHARD'), Tag.SOPInstanceUID)
  return { studyUid, record, own, foreign, pushUuid: push?.uuid ?? '' }
}

/** The result of an act; undefined where it refuses since the images name several patients. */
async function refusedAs<T>(
  kind: typeof WorkFailure | typeof StorageError,
  act: T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (error instanceof kind && error.code === 'CONFLICT') return undefined
    throw error
  }
}

/** SOP Instance UIDs of the images that a door lets out under the patient of the record; none where it refuses. */
const doors: Record<string, (services: Services, exam: Exam) => Promise<string[]>> = {
  'a push': async (watched, { pushUuid }) => {
    pacs.stored.length = 0
    const { signal } = new AbortController()
    await refusedAs(WorkFailure, pushStudyActs.run(watched, { pushUuid }, { signal, attempt: 1 } as never))
    return pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))
  },
  'C-MOVE and C-GET for others': async (watched, { studyUid }) => {
    const asked = { level: 'STUDY', patientId: undefined, seriesUids: undefined, sopUids: undefined } as const
    const records = sql<boolean>`s.study_uid = ${studyUid}`
    const { signal } = new AbortController()
    const clear = clearForAsker(watched, undefined)
    const opened = await openRetrieval(watched, everyone, { ...asked, records }, signal, clear)
    return opened.instances.map((one) => one.sopInstance)
  },
  'an archive': async (watched, { record, own, foreign }) => {
    const archive = await refusedAs(StorageError, planDownload(watched, record, {}))
    if (!archive) return []
    const bytes = Buffer.from(await collectParts(archive.parts, lengthOfParts(archive.parts)))
    return [own, foreign].filter((uid) => bytes.includes(uid))
  },
  'a copy without names': async (watched, { record }) => {
    const source = await openNamelessSource(watched, record, 'Trial')
    return source?.images.map((one) => one.sop_uid) ?? []
  },
}

it.each(Object.keys(doors))('%s lets out no image of another patient that comes meanwhile', async (name) => {
  const outcomes = new Set<string>()
  for (let behind = 1; ; behind += 1) {
    const exam = await addExam()
    const come = () => upload(imageOf(exam.studyUid, 2, 'ROE^RICHARD'))
    const { db, hasCome } = comeBetween(services.db, behind, come)
    const left = (await doors[name]?.({ ...services, db }, exam)) ?? []
    const isOver = !(await hasCome())
    expect(left, `behind statement ${behind}`).not.toContain(exam.foreign)
    outcomes.add(left.includes(exam.own) ? 'left' : 'refused')
    if (isOver) break
  }
  // both were tried: it came early enough for a refusal, and too late for one
  expect([...outcomes].toSorted()).toEqual(['left', 'refused'])
})
