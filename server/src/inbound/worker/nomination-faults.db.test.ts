import { rejections } from '@hilum/dicom/dimse/dimse-error'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { startRunner } from './run-work.ts'
import { jobs } from '../../areas/jobs.ts'
import { ensureGateFields } from '../../areas/nomination/gate-fields.sql.ts'

/*
 * A nomination that changes under the hands of the one who processes it: two reviewers, a sender who takes it back, edits
 * it or adds another patient's image, an administrator who deletes what the configuration names. Each with the answer, a
 * state that is true on both sides, and nothing locked in the end.
 */

const { services, call, query, app } = await startTestApp()
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const fields = await ensureGateFields(services.db, accountUuid)
const fieldOf = (key: string) => `customfield-${fields[key]}`
const administrator = await organisation.addPerson({ role: 'Administrator' })
const pacs = await startScriptedPeer('PACS')
beforeEach(() => {
  pacs.script = {}
  pacs.stored.length = 0
})
const ask = async (path: string, { sid }: Person, sent: object) => (await call(path, { sid, ...sent })).body
const done = { status: 'OK' }

/** A nominated exam with an image, its sender, and two reviewers; one of them has it open in Process. */
async function makeNominated(config: object = {}, answers: object = {}) {
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', ...config } })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const sender = await organisation.addPerson({ role: 'Staff', groups: [cloud] })
  const one = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const other = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const { uuid: destination } = await makeDestination({ query }, accountUuid, { port: pacs.port, title: 'PACS' })
  const studyUid = newUid()
  const upload = async (number: number, patientName = 'DOE^JANE') => {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${cloud.namespaceUuid}/image?sid=${sender.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, number, patientName, patientId: patientName, birthDate: '19700101' })),
    })
    expect(reply.statusCode).toBe(202)
  }
  await upload(1)
  const recordIn = async (namespace: string) => {
    const [row] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}' order by created desc`,
    )
    return row?.uuid ?? ''
  }
  const source = await recordIn(cloud.namespaceUuid)
  await ask('study/sync', sender, { uuid: source, image_count: 1 })
  const nominate = () => ask('study/share', sender, { uuid: source, group_id: gate.groupUuid, ...answers })
  expect(await nominate()).toEqual(done)
  const gateSide = await recordIn(gate.namespaceUuid)
  const set = (by: Person, sent: object) => ask('study/set', by, { study_id: gateSide, ...sent })
  return {
    gate,
    sender,
    one,
    other,
    source,
    gateSide,
    destination,
    upload,
    nominate,
    set,
    gateRecord: () => recordIn(gate.namespaceUuid),
    lock: (by: Person) => ask('study/lock', by, { uuid: gateSide }),
    unlock: (by: Person) => ask('study/unlock', by, { uuid: gateSide }),
    cancel: () => ask('study/share/stop', sender, { uuid: source, group_id: gate.groupUuid }),
    confirm: (by: Person, more: object = {}) => ask('study/push/confirm', by, { uuid: gateSide, ...more }),
    choose: (by: Person, more: object = {}) => set(by, { [fieldOf('push_destination')]: destination, ...more }),
    reject: (by: Person) =>
      set(by, { [fieldOf('is_process_form_rejected')]: '1', [fieldOf('process_rejection_reason')]: 'No indication' }),
    seen: () => ask('study/get', one, { uuid: gateSide, customfield_h: 1 }),
    /** The states that the sender and the gatekeeper group read. */
    states: async () => [
      (await ask('study/get', sender, { uuid: source })).nomination?.state,
      (await ask('study/get', one, { uuid: gateSide })).nomination?.state,
    ],
    isFree: async () => expect(await query(`select from study_lock where study_uuid = '${gateSide}'`)).toEqual([]),
    pushes: () => query(`select from push where study_uuid = '${gateSide}'`),
  }
}

describe('two reviewers on one nomination', () => {
  it('the second is told that the first has it, decides nothing, and may when the first lets go', async () => {
    const { lock, unlock, one, other, choose, confirm, reject, states, isFree } = await makeNominated()
    expect(await lock(one)).toMatchObject(done)
    expect(await lock(other)).toMatchObject({ error_type: 'LOCKED' })
    expect(await choose(other)).toMatchObject({ error_type: 'LOCKED' })
    expect(await confirm(other)).toMatchObject({ error_type: 'LOCKED' })
    expect(await reject(other)).toMatchObject({ error_type: 'LOCKED' })
    expect(await states()).toEqual(['nominated', 'nominated'])
    expect(await unlock(one)).toMatchObject(done)
    expect(await reject(other)).toMatchObject(done)
    expect(await states()).toEqual(['rejected', 'rejected'])
    await isFree()
  })

  it('both send what both saw: it is sent once, and the other is told that it is under way', async () => {
    const { one, other, choose, confirm, pushes, states, isFree } = await makeNominated()
    const { row_version: version } = await choose(one)
    const answers = await Promise.all([one, other].map((by) => confirm(by, { row_version: version })))
    const words = answers.map(({ status, error_type: error }) => error ?? status).toSorted()
    expect(['PENDING', 'STALE']).toContain(words.find((word) => word !== 'OK'))
    expect(words).toContain('OK')
    await expect.poll(states).toEqual(['completed', 'completed'])
    expect([(await pushes()).length, pacs.stored.length]).toEqual([1, 1])
    await isFree()
  })

  it('one sends while the other rejects: the later is told that it was decided', async () => {
    const { one, other, choose, confirm, reject, pushes, states, isFree } = await makeNominated()
    await choose(one)
    expect(await reject(other)).toMatchObject(done)
    expect(await confirm(one)).toMatchObject({ error_type: 'STALE' })
    expect([await states(), await pushes()]).toEqual([['rejected', 'rejected'], []])
    await isFree()
  })
})

describe('a nomination cancelled while it is processed', () => {
  it('is gone for the reviewer who has it open, in words; nothing is sent or locked, and it can be nominated anew', async () => {
    const world = await makeNominated()
    const { lock, unlock, one, other, choose, confirm, reject, cancel, pushes, states, isFree, sender, source } = world
    await lock(one)
    await choose(one)
    expect(await cancel()).toMatchObject(done)
    for (const act of [confirm, reject, choose]) expect(await act(one)).toMatchObject({ error_type: 'NOT_FOUND' })
    // what the open page does when it is left
    expect((await unlock(one)).error_type ?? 'OK').toMatch(/^(OK|NOT_FOUND)$/)
    await isFree()
    expect([await states(), await pushes()]).toEqual([[undefined, undefined], []])
    expect((await ask('study/get', sender, { uuid: source })).is_locked).toBeFalsy()

    expect(await world.nominate()).toMatchObject(done)
    const anew = await world.gateRecord()
    expect(anew).not.toBe(world.gateSide)
    expect(await ask('study/lock', other, { uuid: anew })).toMatchObject(done)
  })

  it('is not cancelled once it is sent: the sender is told so, and it arrives', async () => {
    const { one, choose, confirm, cancel, states, isFree } = await makeNominated()
    pacs.script.refuse = rejections.congested
    await choose(one)
    expect(await confirm(one)).toMatchObject(done)
    expect(await cancel()).toMatchObject({ error_type: 'PENDING' })
    expect(await states()).toEqual(['queued', 'queued'])
    pacs.script = {}
    await expect
      .poll(async () => {
        await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
        return states()
      })
      .toEqual(['completed', 'completed'])
    await isFree()
  })
})

describe('a study edited after its nomination', () => {
  it('by its sender: the group keeps what was nominated, until it is nominated again', async () => {
    const { sender, source, seen, nominate, one, gateRecord, destination } = await makeNominated()
    await ask('study/set', sender, { study_id: source, patientid: 'EDITED', accession_number: 'A-9' })
    expect(await seen()).toMatchObject({ patientid: 'DOE^JANE', nomination: { state: 'nominated' } })
    expect(await nominate()).toEqual(done)
    const uuid = await gateRecord()
    const atGate = () => ask('study/get', one, { uuid })
    expect(await atGate()).toMatchObject({ patientid: 'EDITED', nomination: { state: 'nominated' } })
    await ask('study/set', one, { study_id: uuid, [fieldOf('push_destination')]: destination })
    expect(await ask('study/push/confirm', one, { uuid })).toMatchObject(done)
    await expect.poll(async () => (await atGate()).nomination.state).toBe('completed')
    expect((await ask('study/get', sender, { uuid: source })).nomination.state).toBe('completed')
    expect(await query(`select from study_lock where study_uuid = '${uuid}'`)).toEqual([])
  })

  it('by another reviewer: what was looked at before is not sent, in words', async () => {
    const { one, other, choose, set, confirm, pushes, states, isFree } = await makeNominated()
    const { row_version: version } = await choose(one)
    expect(await set(other, { patientid: 'OTHER-7' })).toMatchObject(done)
    expect(await confirm(one, { row_version: version })).toMatchObject({ error_type: 'STALE' })
    expect([await states(), await pushes()]).toEqual([['nominated', 'nominated'], []])
    await isFree()
  })
})

describe('a study mixed after its nomination', () => {
  it("by another patient's image: it is not sent, in words, stays nominated, and the one who has it open can leave it", async () => {
    const { lock, unlock, one, choose, confirm, upload, seen, pushes, states, isFree } = await makeNominated()
    await lock(one)
    await choose(one)
    await upload(2, 'ROE^RICHARD')
    expect(await seen()).toMatchObject({ mixed_patients: 1 })
    expect(await confirm(one)).toMatchObject({ error_type: 'NOT_READY' })
    expect([await states(), await pushes()]).toEqual([['nominated', 'nominated'], []])
    expect(await unlock(one)).toMatchObject(done)
    await isFree()
  })

  it('while its push waits: nothing of it leaves, and both sides read why', async () => {
    const { one, choose, confirm, upload, states, isFree, seen } = await makeNominated()
    pacs.script.refuse = rejections.congested
    await choose(one)
    expect(await confirm(one)).toMatchObject(done)
    await expect.poll(async () => (await seen()).nomination.status_reason).toContain('it is busy')
    await upload(2, 'ROE^RICHARD')
    pacs.script = {}
    await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
    await expect.poll(states).toEqual(['failed', 'failed'])
    expect((await seen()).nomination.status_reason).toMatch(/several patients|more than one patient/)
    expect(pacs.stored).toEqual([])
    await isFree()
  })
})

describe('a configuration that names deleted fields', () => {
  const addField = async (name: string) =>
    (await ask('customfield/add', administrator, { account_id: accountUuid, name, object: 'Study' })).uuid as string

  it('when a question is deleted after nominating: the answers stay, the exam goes its way, and nobody nominates meanwhile', async () => {
    const [kept, gone] = [await addField('Why'), await addField('Gone')]
    const answers = { [`customfield-${kept}`]: 'Surgery', [`customfield-${gone}`]: 'Old' }
    const world = await makeNominated({ pacs_form_customfields: [kept, gone] }, answers)
    const configure = (...customfields: string[]) =>
      ask('group/set', administrator, {
        uuid: world.gate.groupUuid,
        inbox_config: { group_designation: 'GATEKEEPER', pacs_form_customfields: customfields },
      })
    expect(await ask('customfield/delete', administrator, { uuid: gone })).toMatchObject({ error_type: 'IN_USE' })
    expect(await configure(kept)).toMatchObject(done)
    expect(await ask('customfield/delete', administrator, { uuid: gone })).toMatchObject(done)
    expect((await world.seen()).nomination).toMatchObject({
      state: 'nominated',
      answers: { [kept]: 'Surgery', [gone]: 'Old' },
      deleted_questions: [{ uuid: gone, name: 'Gone' }],
    })
    await world.choose(world.one)
    expect(await world.confirm(world.one)).toMatchObject(done)
    await expect.poll(world.states).toEqual(['completed', 'completed'])
    await world.isFree()
    expect(await configure(kept, gone)).toMatchObject(done)
    const second = await makeNominated()
    const { gatekeepers } = await ask('study/nominate/form', world.sender, { uuid: world.source })
    expect(gatekeepers).toMatchObject([{ missing_fields: 1, customfields: [{ uuid: kept }] }])
    await ask('group/set', administrator, {
      uuid: second.gate.groupUuid,
      inbox_config: { group_designation: 'GATEKEEPER', pacs_form_customfields: [gone] },
    })
    await second.cancel()
    expect(await second.nominate()).toMatchObject({ error_type: 'NOT_SUPPORTED', error_subtype: 'inbox_config' })
    expect(await second.states()).toEqual([undefined, undefined])
    await second.isFree()
  })

  it('fields that the gate itself writes are not deleted', async () => {
    for (const key of ['push_destination', 'submission_status', 'is_process_form_rejected'])
      expect(await ask('customfield/delete', administrator, { uuid: fields[key] })).toMatchObject({
        error_type: 'IN_USE',
      })
  })

  it('when the chosen destination is deleted before sending: it is not sent, in words, and another can be chosen', async () => {
    const { one, choose, confirm, destination, pushes, states, isFree } = await makeNominated()
    await choose(one)
    await query(`update destination set deleted_at = now() where uuid = '${destination}'`)
    expect(await confirm(one)).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'push_destination' })
    expect([await states(), await pushes()]).toEqual([['nominated', 'nominated'], []])
    const { uuid: another } = await makeDestination({ query }, accountUuid, { port: pacs.port, title: 'PACS' })
    await choose(one, { [fieldOf('push_destination')]: another })
    expect(await confirm(one)).toMatchObject(done)
    await expect.poll(states).toEqual(['completed', 'completed'])
    await isFree()
  })
})
