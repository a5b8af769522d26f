import type { Commitment } from '@hilum/dicom/dimse/commitment'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { type CommitmentScript, reportByScript } from '../../../test/scripted-commitment.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/* After a push: the destination is asked to confirm that it stores the images, and says so, or not, or never. */

const { services, call, query, app } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const pacs = await startScriptedPeer('PACS')
const nodeTitle = 'HILUM_GATE'
const { uuid: destination } = await makeDestination({ query }, accountUuid, {
  port: pacs.port,
  title: 'PACS',
  name: 'PACS',
  nodeTitle,
})
await query(`update destination set can_commit = true where uuid = '${destination}'`)
const ownCall = { port: listeners.port, calledTitle: nodeTitle, callingTitle: 'PACS' }

let commitment: CommitmentScript
beforeEach(() => {
  commitment = { asked: [], answers: [] }
  pacs.script = { commitment }
  pacs.stored.length = 0
})

/** Sends a study of so many images. */
async function push(images = 2): Promise<string> {
  const studyUid = newUid()
  for (let number = 1; number <= images; number += 1) {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, number })),
    })
    expect(reply.statusCode).toBe(202)
  }
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = record?.uuid ?? ''
  await call('study/sync', { sid: staff.sid, uuid, image_count: images })
  expect((await call('study/push', { sid: staff.sid, uuid, destination_id: destination })).body.status).toBe('OK')
  return uuid
}

const stateOf = async (uuid: string) => {
  const { body } = await call('study/get', { sid: staff.sid, uuid })
  const [one] = body.study_push_status
  return [one?.status, one?.commitment, one?.commitment_reason]
}
const bothStored = 'The destination confirms 2 of 2 images as stored.'
const refuseFirst = ({ transactionUid, images }: Commitment, reason: number): Commitment => ({
  transactionUid,
  images: images.slice(1),
  failed: images.slice(0, 1).map((one) => ({ ...one, reason })),
})

describe('[PROCESS-18] a destination that is asked to confirm the storage', () => {
  it('confirms over the association that asked, or over one of its own to our node, and is told beside the sending', async () => {
    const here = await push()
    await expect.poll(() => stateOf(here)).toEqual(['S', 'committed', bothStored])
    commitment.reports = ownCall
    const own = await push()
    await expect.poll(() => stateOf(own)).toEqual(['S', 'committed', bothStored])
    expect(commitment.asked.map((one) => one.images.length)).toEqual([2, 2])
    await expect.poll(() => commitment.answers).toEqual([0, 0])
    const audit = await query<{ action: string; detail: Record<string, unknown> }>(
      `select action, detail from audit where object_uuid = '${own}' and action = 'PUSH_COMMIT'`,
    )
    expect(audit.map((one) => one.detail['commitment'])).toEqual(['committed'])
  })

  it('has the exam count as not sent whole when it does not store an image that it took', async () => {
    commitment.change = (report) => refuseFirst(report, 0x0213)
    const uuid = await push()
    const words = 'The destination confirms 1 of 2 images as stored. Not stored: it has no room (1).'
    await expect.poll(() => stateOf(uuid)).toEqual(['F', 'failed', words])
    const { body } = await call('study/list', { sid: staff.sid, 'filter.study_push_status.in': ['F'] })
    expect(body.studies.map((one: { uuid: string }) => one.uuid)).toContain(uuid)
    // sent once more, the exam begins anew, with a question of its own
    commitment.change = (report) => report
    await call('study/push', { sid: staff.sid, uuid, destination_id: destination })
    await expect.poll(() => stateOf(uuid)).toEqual(['S', 'committed', bothStored])
  })

  it('is waited for no longer than a day, and believed later', async () => {
    commitment.reports = 'never'
    const uuid = await push()
    await expect.poll(() => stateOf(uuid)).toEqual(['S', 'asked', expect.stringContaining('0 of 2')])
    const waits = () =>
      query<{ hours: number }>(`
      select round(extract(epoch from run_at - now()) / 3600)::integer as hours
      from work where job = 'end-commitment' and state = 'waiting' and study_uuid is null`)
    await expect.poll(waits, { timeout: 10_000 }).toEqual([{ hours: 24 }])
    await query(`update work set run_at = now() where job = 'end-commitment'`)
    const silent = 'The destination confirms 0 of 2 images as stored. It has not spoken of 2.'
    await expect.poll(() => stateOf(uuid)).toEqual(['S', 'unanswered', silent])
    const [question] = commitment.asked
    if (!question) throw new Error('Nothing was asked')
    expect(await reportByScript(ownCall, { ...question, images: question.images.slice(0, 1) })).toMatchObject({
      status: 0,
    })
    await expect.poll(() => stateOf(uuid)).toEqual(['S', 'unanswered', expect.stringContaining('1 of 2')])
    for (const _ of ['first', 'again']) {
      expect(await reportByScript(ownCall, question)).toMatchObject({ status: 0 })
      expect(await stateOf(uuid)).toEqual(['S', 'committed', bothStored])
    }
  })

  it('is told as not confirming when it does not take the question, with the exam sent all the same', async () => {
    commitment.status = 0x0122
    const refusing = await push()
    const refused = 'The destination could not be asked to confirm the storage: it answered 0122.'
    await expect.poll(() => stateOf(refusing)).toEqual(['S', 'refused', refused])
    delete pacs.script.commitment
    const without = await push()
    const notOffered =
      'The destination could not be asked to confirm the storage: The peer does not offer storage commitment.'
    await expect.poll(() => stateOf(without)).toEqual(['S', 'refused', notOffered])
  })

  it('confirms nothing in the name of another peer, of another transaction, or of images that were not sent', async () => {
    commitment.reports = 'never'
    const uuid = await push()
    await expect.poll(() => commitment.asked.length).toBe(1)
    const [question] = commitment.asked
    if (!question) throw new Error('Nothing was asked')
    const unknown = { ...question, transactionUid: newUid() }
    expect(await reportByScript(ownCall, unknown)).toMatchObject({ status: 0x0110 })
    const others = question.images.map((one) => ({ ...one, sopInstance: newUid() }))
    expect(await reportByScript(ownCall, { ...question, images: others })).toMatchObject({ status: 0 })
    await query(`update destination set address = '192.0.2.7' where uuid = '${destination}'`)
    const stranger = reportByScript({ ...ownCall, callingTitle: 'STRANGER' }, question)
    await expect(stranger).rejects.toThrow('not called by this AE title')
    await query(`update destination set address = '127.0.0.1' where uuid = '${destination}'`)
    expect(await stateOf(uuid)).toEqual(['S', 'asked', expect.stringContaining('0 of 2')])
  })
})
