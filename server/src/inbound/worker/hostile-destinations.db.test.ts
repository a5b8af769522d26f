import { rejections } from '@hilum/dicom/dimse/dimse-error'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { type PeerScript, startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { ensureGateFields } from '../../areas/nomination/gate-fields.sql.ts'
import { startRunner } from './run-work.ts'

/*
 * Nominations sent to a destination that misbehaves: each kind has its message, a state that is true on both sides, and
 * leaves the exam free. A destination that comes to its senses gets the rest, or all of it by Retry.
 */

const { services, call, query, app } = await startTestApp()
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
const staff = await organisation.addPerson({ role: 'Staff', groups: [cloud] })
const reviewer = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
const { push_destination: field } = await ensureGateFields(services.db, accountUuid)
const pacs = await startScriptedPeer('PACS')
const { uuid: destination } = await makeDestination({ query }, accountUuid, {
  port: pacs.port,
  title: 'PACS',
  name: 'PACS',
})
const [sc, ct] = ['1.2.840.10008.5.1.4.1.1.7', '1.2.840.10008.5.1.4.1.1.2']

/** A nominated exam of a secondary capture and a CT image, sent by its reviewer. */
async function send(script: PeerScript, set = ''): Promise<{ source: string; gateSide: string }> {
  const studyUid = newUid()
  for (const [number, sopClassUid] of [sc, ct].entries()) {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${cloud.namespaceUuid}/image?sid=${staff.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, number: number + 1, sopClassUid })),
    })
    expect(reply.statusCode).toBe(202)
  }
  const recordIn = async (namespace: string) => {
    const [row] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}'`,
    )
    return row?.uuid ?? ''
  }
  const source = await recordIn(cloud.namespaceUuid)
  await call('study/sync', { sid: staff.sid, uuid: source, image_count: 2 })
  await call('study/share', { sid: staff.sid, uuid: source, group_id: gate.groupUuid })
  const gateSide = await recordIn(gate.namespaceUuid)
  pacs.script = script
  pacs.stored.length = 0
  pacs.asked = 0
  await query(`update destination set uses_tls = false, max_associations = 1 where uuid = '${destination}'`)
  if (set) await query(`update destination set ${set} where uuid = '${destination}'`)
  await call('study/lock', { sid: reviewer.sid, uuid: gateSide })
  await call('study/set', { sid: reviewer.sid, study_id: gateSide, [`customfield-${field}`]: destination })
  await call('study/unlock', { sid: reviewer.sid, uuid: gateSide })
  expect((await call('study/push/confirm', { sid: reviewer.sid, uuid: gateSide })).body.status).toBe('OK')
  return { source, gateSide }
}

const told = async ({ source, gateSide }: { source: string; gateSide: string }) => {
  const { body: given } = await call('study/get', { sid: staff.sid, uuid: source })
  const { body: got } = await call('study/get', { sid: reviewer.sid, uuid: gateSide })
  expect(got.nomination.state).toBe(given.nomination.state)
  return [got.study_push_status[0]?.status, got.nomination.state, got.nomination.status_reason]
}
const hurry = () => query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
const empty = QueryClass.StudyFind

/** The state of each kind while it lasts, and whether the peer is asked again by itself. */
const kinds: [kind: string, script: PeerScript, set: string, status: string, words: RegExp][] = [
  ['breaks off in the middle', { aborts: true }, '', 'N', /^0 of 2 .*broke the association off/],
  ['has no room (A700)', { statusOf: (number) => (number === 2 ? 0xa700 : 0) }, '', 'P', /^1 of 2 .*A700 \(1\)/],
  ['fails inside (0110)', { statusOf: () => 0x0110 }, '', 'N', /^0 of 2 .*0110 \(2\)/],
  ['is busy', { refuse: rejections.congested }, '', 'N', /because it is busy/],
  ['is not there', {}, 'port = 1', 'N', /Nothing listens/],
  ['warns (B000)', { statusOf: () => 0xb000 }, '', 'S', /^2 of 2 images sent\. Sent with a warning: .*B000 \(2\)/],
  ['takes half of the classes', { classes: [empty, sc] }, '', 'F', /^1 of 2 .*does not take this kind of object \(1\)/],
  ['has another AE title', { refuse: rejections.unknownCalledTitle }, '', 'F', /not called by this AE title/],
  ['does not know ours', { refuse: rejections.unknownCallingTitle }, '', 'F', /does not know our AE title/],
  ['speaks no TLS', {}, 'uses_tls = true', 'N', /did not answer in TLS\. Perhaps it speaks none/],
]

describe('[PROCESS-14][NOMINATE-08] a destination of a nomination that', () => {
  it.each(kinds)('%s: is told on both sides, and the exam is free', async (_kind, script, set, status, words) => {
    const restored = `port = ${pacs.port}`
    const one = await send(script, set || restored)
    const state = status === 'S' ? 'completed' : status === 'F' ? 'failed' : 'queued'
    await expect.poll(() => told(one), { timeout: 20_000 }).toEqual([status, state, expect.stringMatching(words)])
    expect(await query(`select from study_lock where study_uuid = '${one.gateSide}'`)).toEqual([])
    if (status === 'S') return
    // well again, it gets what is missing: by itself, or after Retry
    pacs.script = {}
    await query(`update destination set uses_tls = false, ${restored} where uuid = '${destination}'`)
    const taken = pacs.stored.length
    if (status === 'F') {
      await call('study/push', { sid: reviewer.sid, uuid: one.gateSide, destination_id: destination })
    } else await hurry()
    await expect
      .poll(() => told(one), { timeout: 20_000 })
      .toEqual(['S', 'completed', expect.stringContaining('2 of 2 images sent.')])
    // what was acknowledged is not sent again by a try of its own, and all is by Retry
    expect(pacs.stored.length).toBe(status === 'F' ? taken + 2 : 2)
  })

  it('hangs: is cancelled by whoever may, and the exam can be sent elsewhere', async () => {
    const one = await send({ hangs: true }, `port = ${pacs.port}`)
    await expect.poll(() => pacs.open).toBeGreaterThan(0)
    await expect.poll(() => told(one)).toEqual(['I', 'queued', ''])
    const [work] = await query<{ uuid: string }>(`select uuid from work where job = 'push-study' and state = 'running'`)
    const administrator = await organisation.addPerson({ role: 'Administrator', groups: [gate] })
    await call('job/cancel', { sid: administrator.sid, uuid: work?.uuid ?? '' })
    await expect.poll(() => told(one)).toEqual(['F', 'failed', 'This was cancelled'])
    expect(await query(`select from study_lock where study_uuid = '${one.gateSide}'`)).toEqual([])
    // the other destination answers
    pacs.script = {}
    const title = 'ELSEWHERE'
    const { uuid: elsewhere } = await makeDestination({ query }, accountUuid, { port: pacs.port, title, name: title })
    const chosen = { [`customfield-${field}`]: elsewhere }
    await call('study/set', { sid: reviewer.sid, study_id: one.gateSide, ...chosen })
    const confirmed = await call('study/push/confirm', { sid: reviewer.sid, uuid: one.gateSide })
    expect(confirmed.body.status).toBe('OK')
    await expect
      .poll(() => told(one), { timeout: 20_000 })
      .toEqual(['S', 'completed', expect.stringContaining('2 of 2 images sent.')])
    expect(pacs.stored.length).toBe(2)
  })
})
