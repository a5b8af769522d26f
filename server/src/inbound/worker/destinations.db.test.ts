import { randomUUID } from 'node:crypto'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { rejections } from '@hilum/dicom/dimse/dimse-error'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { listenTo, deliveredStudies } from '../../../test/listening-hooks.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage, type MadeImage } from '../../../test/made-image.ts'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import {
  onlyGet,
  type PeerScript,
  type ScriptedPeer,
  startScriptedPeer,
  studyAnswer,
  textIn,
} from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from '../../areas/nomination/gate-fields.sql.ts'
import { findSetting, putSetting } from '../../areas/setting/setting.sql.ts'
import { jobs } from '../../areas/jobs.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Searching, retrieving and pushing against DICOM nodes that do as a script says: right, wrong, late, or not at all.
 */

const { services, call, query, app } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const administrator = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const pacs = await startScriptedPeer('PACS')
const other = await startScriptedPeer('OTHER')
const nodeTitle = 'HILUM_GATE'

afterEach(() => {
  for (const peer of [pacs, other]) {
    peer.script = {}
    peer.stored.length = 0
    peer.asked = 0
  }
})

const destinationOf = (peer: ScriptedPeer) =>
  makeDestination({ query }, accountUuid, { port: peer.port, title: peer.title, name: peer.title, nodeTitle })

/** A complete study of the group with so many images. */
async function addStudy(images = 2, more: Partial<MadeImage> = {}): Promise<{ uuid: string; studyUid: string }> {
  const studyUid = newUid()
  for (let number = 1; number <= images; number += 1) await upload(madeImage({ studyUid, number, ...more }))
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = record?.uuid ?? ''
  await call('study/sync', { sid: staff.sid, uuid, image_count: images })
  return { uuid, studyUid }
}

async function upload(bytes: Uint8Array): Promise<void> {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(bytes),
  })
  expect([reply.statusCode, reply.body]).toEqual([202, expect.any(String)])
}

const push = (uuid: string, destination: string, person: Person = staff) =>
  call('study/push', { sid: person.sid, uuid, destination_id: destination })
const stateOf = async (uuid: string) => {
  const { body } = await call('study/get', { sid: staff.sid, uuid })
  const [state] = body.study_push_status
  return [state?.status, state?.status_reason]
}
/** Work that waits for its next try has its next try now. */
const hurry = () => query(`update work set run_at = now() where state = 'waiting' and not by_clock`)

describe('a push', () => {
  it('[LIST-06] sends a study with the corrections of its record, and its state is seen and searched by', async () => {
    const { uuid } = await addStudy()
    expect((await call('study/set', { sid: staff.sid, study_id: uuid, patientid: 'NEW-7' })).body.status).toBe('OK')
    const { uuid: destination } = await destinationOf(pacs)
    expect((await push(uuid, destination)).body.status).toBe('OK')
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
    expect(pacs.stored.map((file) => textIn(file, Tag.PatientID))).toEqual(['NEW-7', 'NEW-7'])
    const found = async (status: string) => {
      const { body } = await call('study/list', { sid: staff.sid, 'filter.study_push_status.in': [status] })
      return body.studies.map((one: { uuid: string }) => one.uuid)
    }
    expect([await found('S'), await found('F'), await found('N')]).toEqual([[uuid], [], []])
    const audit = await query<{ action: string; actor: string | null }>(
      `select action, actor from audit where object_uuid = '${uuid}' and action like 'PUSH%' order by id`,
    )
    expect(audit).toEqual([
      { action: 'PUSH', actor: staff.userUuid },
      { action: 'PUSH_SUCCESS', actor: null },
    ])
    const [sent] = await query<{ detail: object }>(
      `select detail from audit where object_uuid = '${uuid}' and action = 'PUSH_SUCCESS'`,
    )
    expect(sent?.detail).toMatchObject({
      images: 2,
      asked_by: { uuid: staff.userUuid, name: staff.name, kind: 'user', proxy: '' },
    })
  })

  it('[PROCESS-14][NOMINATE-08] of a nomination sends the patient of the order, keeps the originals inside, and tells both places how far it is', async () => {
    const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
    const reviewer = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
    const config = { pacs_promote_groups: [gate.groupUuid] }
    await call('group/set', { sid: administrator.sid, uuid: group.groupUuid, inbox_config: config })
    const fields = await ensureGateFields(services.db, accountUuid)
    const { uuid: source, studyUid } = await addStudy(2)
    const nominated = await call('study/share', { sid: staff.sid, uuid: source, group_id: gate.groupUuid })
    expect(nominated.body).toEqual({ status: 'OK' })
    const [record] = await query<{ uuid: string; patientid: string }>(
      `select uuid, patientid from study where study_uid = '${studyUid}' and phi_namespace = '${gate.namespaceUuid}'`,
    )
    const uuid = record?.uuid ?? ''
    const { uuid: destination } = await destinationOf(pacs)
    const send = async () => {
      const sent = {
        patientid: 'H-77',
        accession_number: 'ACC-9',
        [`customfield-${fields['push_destination']}`]: destination,
      }
      await call('study/set', { sid: reviewer.sid, study_id: uuid, ...sent })
      return (await call('study/push/confirm', { sid: reviewer.sid, uuid })).body.status
    }
    const told = async () => {
      const { body } = await call('study/get', { sid: staff.sid, uuid: source, customfield_h: 1 })
      const gateSide = (await call('study/get', { sid: reviewer.sid, uuid })).body.nomination
      return [body.nomination.state, gateSide.state, body.customfield_h[fields['nomination_push_status'] ?? '']]
    }
    pacs.script.statusOf = () => 0x0122
    expect(await send()).toBe('OK')
    await expect.poll(told).toEqual(['failed', 'failed', 'F'])
    pacs.script = {}
    pacs.stored.length = 0
    expect(await send()).toBe('OK')
    await expect.poll(told).toEqual(['completed', 'completed', 'S'])
    for (const file of pacs.stored) {
      expect([textIn(file, Tag.PatientID), textIn(file, Tag.AccessionNumber)]).toEqual(['H-77', 'ACC-9'])
      expect(Buffer.from(file).includes(Buffer.from([0x00, 0x04, 0x61, 0x05]))).toBe(true)
    }
    expect(pacs.stored).toHaveLength(2)
    expect(await query(`select patientid from study where uuid = '${source}'`)).toEqual([
      { patientid: record?.patientid },
    ])
    expect(await query(`select from study_lock where study_uuid = '${uuid}'`)).toEqual([])
    // images that come afterwards are told to both places, until they are sent
    const late = async () => {
      const studies = [
        (await call('study/get', { sid: staff.sid, uuid: source })).body,
        (await call('study/get', { sid: reviewer.sid, uuid })).body,
      ]
      return studies.map(({ nomination }) => nomination.late_image_count)
    }
    expect(await late()).toEqual([0, 0])
    await upload(madeImage({ studyUid, number: 3 }))
    expect(await late()).toEqual([1, 1])
    const again = { sid: reviewer.sid, uuid, destination_id: destination, late_images: 1 }
    expect((await call('study/push', again)).body.status).toBe('OK')
    await expect.poll(told).toEqual(['completed', 'completed', 'S'])
    expect(await late()).toEqual([0, 0])
  })

  it('[PROCESS-14] that two people confirmed ends where the patient was changed while it waited', async () => {
    const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', risk_line: 'ALL' } })
    const people = [1, 2].map(() => organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }))
    const [first, second] = (await Promise.all(people)) as [Person, Person]
    const config = { pacs_promote_groups: [gate.groupUuid] }
    await call('group/set', { sid: administrator.sid, uuid: group.groupUuid, inbox_config: config })
    const { push_destination: field } = await ensureGateFields(services.db, accountUuid)
    const { uuid: source, studyUid } = await addStudy(1)
    await call('study/share', { sid: staff.sid, uuid: source, group_id: gate.groupUuid })
    const [record] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${gate.namespaceUuid}'`,
    )
    const uuid = record?.uuid ?? ''
    const { uuid: destination } = await destinationOf(pacs)
    const set = (sent: object) => call('study/set', { sid: first.sid, study_id: uuid, ...sent })
    await set({ patientid: 'H-77', [`customfield-${field}`]: destination })
    pacs.script.refuse = rejections.congested
    const confirm = async ({ sid }: Person) => (await call('study/push/confirm', { sid, uuid })).body
    expect(await confirm(first)).toMatchObject({ error_type: 'SECOND_PERSON' })
    expect(await confirm(second)).toMatchObject({ status: 'OK' })
    const state = async () => {
      const { body } = await call('study/get', { sid: first.sid, uuid })
      return [body.nomination.state, body.nomination.status_reason]
    }
    await expect.poll(state).toEqual(['queued', expect.stringContaining('it is busy')])
    await set({ patientid: 'H-100' })
    pacs.script = {}
    await hurry()
    await expect.poll(state).toEqual(['failed', expect.stringContaining('after two people had confirmed')])
    expect(pacs.asked).toBe(0)
  })

  it('[PROCESS-14] sends nothing to which two people have not agreed, since it came between or after their words', async () => {
    const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', risk_line: 'ALL' } })
    const people = [1, 2].map(() => organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }))
    const [first, second] = (await Promise.all(people)) as [Person, Person]
    const config = { pacs_promote_groups: [gate.groupUuid] }
    await call('group/set', { sid: administrator.sid, uuid: group.groupUuid, inbox_config: config })
    const { push_destination: field } = await ensureGateFields(services.db, accountUuid)
    const { uuid: source, studyUid } = await addStudy(1)
    await call('study/share', { sid: staff.sid, uuid: source, group_id: gate.groupUuid })
    const [record] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${gate.namespaceUuid}'`,
    )
    const uuid = record?.uuid ?? ''
    const { uuid: destination } = await destinationOf(pacs)
    await call('study/set', { sid: first.sid, study_id: uuid, [`customfield-${field}`]: destination })
    pacs.script.refuse = rejections.congested
    const confirm = async ({ sid }: Person) => (await call('study/push/confirm', { sid, uuid })).body
    expect(await confirm(first)).toMatchObject({ error_type: 'SECOND_PERSON' })
    await upload(madeImage({ studyUid, number: 2 }))
    // the word of the other is a first one about two images
    expect(await confirm(second)).toMatchObject({ error_type: 'SECOND_PERSON' })
    expect(await confirm(first)).toMatchObject({ status: 'OK' })
    const state = async () => {
      const { body } = await call('study/get', { sid: first.sid, uuid })
      return [body.nomination.state, body.nomination.status_reason]
    }
    await expect.poll(state).toEqual(['queued', expect.stringContaining('it is busy')])
    await upload(madeImage({ studyUid, number: 3 }))
    pacs.script = {}
    await hurry()
    await expect.poll(state).toEqual(['failed', expect.stringContaining('Images came or went after the exam')])
    expect(pacs.asked).toBe(0)
    // whoever sends them then was told of them, as of late images
    expect((await push(uuid, destination, first)).body.status).toBe('OK')
    await expect.poll(state).toEqual(['completed', '3 of 3 images sent.'])
  })

  it.each([
    ['MRN', { patientid: 'TWO-2' }],
    ['accession number', { accession_number: 'ACC-2' }],
  ])(
    '[PROCESS-14] ends where the %s was changed after some images had left, and takes the whole exam anew',
    async (_what, edit) => {
      const { uuid, studyUid } = await addStudy(2, { patientId: 'ONE-1' })
      const { uuid: destination } = await destinationOf(pacs)
      pacs.script.statusOf = (number) => (number === 2 ? 0xa700 : 0)
      await push(uuid, destination)
      await expect.poll(async () => (await stateOf(uuid))[0]).toBe('P')
      const set = (sent: object) => call('study/set', { sid: staff.sid, study_id: uuid, ...sent })
      expect((await set(edit)).body.status).toBe('OK')
      pacs.script = {}
      await hurry()
      const changed = ['F', expect.stringContaining('before its patient or accession number was changed')]
      await expect.poll(() => stateOf(uuid)).toEqual(changed)
      // one image had left: an access
      const [failed] = await query<{ detail: object }>(
        `select detail from audit where object_uuid = '${uuid}' and action = 'PUSH_FAIL'`,
      )
      expect(failed?.detail).toMatchObject({ images: 1, asked_by: { name: staff.name } })
      expect(pacs.asked).toBe(2)
      await push(uuid, destination)
      await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
      expect(pacs.asked).toBe(4)
      // images that come late follow under nobody else either
      await upload(madeImage({ studyUid, number: 3, patientId: 'ONE-1' }))
      expect((await set({ patientid: 'THREE-3' })).body.status).toBe('OK')
      const late = { sid: staff.sid, uuid, destination_id: destination, late_images: 1 }
      expect((await call('study/push', late)).body.status).toBe('OK')
      await expect.poll(() => stateOf(uuid)).toEqual(changed)
      expect(pacs.asked).toBe(4)
      await push(uuid, destination)
      await expect.poll(() => stateOf(uuid)).toEqual(['S', '3 of 3 images sent.'])
      expect(pacs.stored.slice(-3).map((file) => textIn(file, Tag.PatientID))).toEqual([
        'THREE-3',
        'THREE-3',
        'THREE-3',
      ])
    },
  )

  it('sends late images again with the others where it is not known under whom those left', async () => {
    const { uuid, studyUid } = await addStudy(2)
    const { uuid: destination } = await destinationOf(pacs)
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
    await query(`update push set sent_as = null where study_uuid = '${uuid}'`)
    await upload(madeImage({ studyUid, number: 3 }))
    await call('study/push', { sid: staff.sid, uuid, destination_id: destination, late_images: 1 })
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '3 of 3 images sent.'])
    expect(pacs.asked).toBe(5)
  })

  it.each([
    ['none has left for a destination that is busy', { refuse: rejections.congested }, false],
    ['none is taken by a destination that does not know its class', { classes: [QueryClass.StudyFind] }, false],
    ['one may have arrived whose answer was lost', { aborts: true }, true],
  ])('that fails is an access by its own images alone: %s', async (_what, script, mayHaveLeft) => {
    const end = async (uuid: string) => {
      await expect.poll(async () => (await stateOf(uuid))[1]).toMatch(/Not sent/)
      await query(`update destination set can_push = false where uuid = '${destination}'`)
      await hurry()
      await expect.poll(async () => (await stateOf(uuid))[0]).toBe('F')
      await query(`update destination set can_push = true where uuid = '${destination}'`)
      const rows = await query<{ detail: object }>(
        `select detail from audit where object_uuid = '${uuid}' and action = 'PUSH_FAIL' order by id`,
      )
      return rows.map(({ detail }) => detail)
    }
    const access = { images: 0, may_have_left: mayHaveLeft }
    const { uuid: destination } = await destinationOf(pacs)
    const whole = await addStudy(3)
    pacs.script = script
    await push(whole.uuid, destination)
    expect(await end(whole.uuid)).toMatchObject([access])
    // a later push of the same exam tells of itself alone
    pacs.script = { refuse: rejections.congested }
    await push(whole.uuid, destination)
    expect(await end(whole.uuid)).toMatchObject([access, { images: 0, may_have_left: false }])
    const { uuid, studyUid } = await addStudy(2)
    pacs.script = {}
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
    await upload(madeImage({ studyUid, number: 3 }))
    pacs.script = script
    await call('study/push', { sid: staff.sid, uuid, destination_id: destination, late_images: 1 })
    expect(await end(uuid)).toMatchObject([access])
  })

  it('of an exam whose images are gone meanwhile has failed', async () => {
    const { uuid, studyUid } = await addStudy(1)
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.refuse = rejections.congested
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['N', expect.stringContaining('it is busy')])
    await query(`delete from instance i using stored_study t
      where t.study_uid = '${studyUid}' and i.storage_namespace = t.storage_namespace and i.study_key = t.key`)
    pacs.script = {}
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['F', 'The exam has no images here'])
  })

  it('[PROCESS-14] of a gatekeeper group goes to the destinations alone that the group names, at each try', async () => {
    const { uuid } = await addStudy(1)
    const [named, unnamed] = [await destinationOf(pacs), await destinationOf(other)]
    const before = await findSetting(services.db, 'namespace', group.namespaceUuid, 'inbox_config')
    const configure = (config: string) =>
      putSetting(services.db, 'namespace', group.namespaceUuid, 'inbox_config', config)
    const allow = (destinations: string[]) =>
      configure(JSON.stringify({ group_designation: 'GATEKEEPER', pushable_destinations: destinations }))
    onTestFinished(async () => void (await configure(before ?? '{}')))
    const refused = { error_type: 'NOT_FOUND', error_subtype: 'destination_id' }
    pacs.script.refuse = rejections.congested
    expect((await push(uuid, named.uuid.toUpperCase())).body.status).toBe('OK')
    await expect.poll(() => stateOf(uuid)).toEqual(['N', expect.stringContaining('it is busy')])
    await allow([named.uuid])
    expect((await push(uuid, unnamed.uuid)).body).toMatchObject(refused)
    expect((await push(uuid, named.uuid.toUpperCase())).body.error_type).toBe('PENDING')
    await allow([unnamed.uuid])
    pacs.script = {}
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['F', expect.stringContaining('no longer there for this group')])
    expect(pacs.asked).toBe(0)
  })

  it('tries again what a full peer (A700) or one that broke off did not take, and sends nothing twice', async () => {
    const { uuid } = await addStudy(3)
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.statusOf = (number) => (number === 2 ? 0xa700 : 0)
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['P', expect.stringMatching(/^2 of 3 .*answered A700 \(1\)\.$/)])
    expect((await push(uuid, destination)).body.error_type).toBe('PENDING')
    pacs.script = { aborts: true }
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['P', expect.stringMatching(/broke the association off \(1\)\.$/)])
    pacs.script = {}
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '3 of 3 images sent.'])
    expect(pacs.asked).toBe(5)
    expect(new Set(pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))).size).toBe(3)
  })

  it('does not stand as under way after a fault of the server itself, and ends by its next try without sending twice', async () => {
    const { uuid } = await addStudy(2)
    const { uuid: destination } = await destinationOf(pacs)
    await query(
      `create function refuse_end() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    )
    await query(
      `create trigger refuse_end before update on push for each row when (new.status = 'S') execute function refuse_end()`,
    )
    onTestFinished(async () => void (await query(`drop function if exists refuse_end cascade`)))
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['P', expect.stringMatching(/fault of this server.* tried again/)])
    await query(`drop function refuse_end cascade`)
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['S', expect.stringContaining('2 of 2 images sent.')])
    expect(pacs.stored).toHaveLength(2)
  })

  it('[LIST-06] ends as failed, with how much was taken, where the peer refuses an image for good', async () => {
    const { uuid } = await addStudy()
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.statusOf = (number) => (number === 1 ? 0xc000 : 0)
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['F', '1 of 2 images sent. Not sent: The peer answered C000 (1).'])
    pacs.script = {}
    expect((await push(uuid, destination)).body.status).toBe('OK')
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
  })

  it('tells a warning (B000) of the peer, who has the image', async () => {
    const { uuid } = await addStudy(1)
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.statusOf = () => 0xb000
    await push(uuid, destination)
    await expect
      .poll(() => stateOf(uuid))
      .toEqual(['S', '1 of 1 image sent. Sent with a warning: The peer answered B000 (1).'])
  })

  it.each<[string, PeerScript, RegExp]>([
    ['rejects us', { refuse: rejections.unknownCalledTitle }, /not called by this AE title/],
    [
      'takes no such objects',
      { classes: ['1.2.840.10008.1.1', QueryClass.StudyFind] },
      /does not take this kind of object/,
    ],
  ])('fails at once, in words, where the peer %s', async (_what, script, words) => {
    const { uuid } = await addStudy(1)
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script = script
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['F', expect.stringMatching(words)])
  })

  it('to a destination that hangs delays none to another, were there fifty', { timeout: 120_000 }, async () => {
    const [slow, fast] = [await destinationOf(pacs), await destinationOf(other)]
    pacs.script.hangs = true
    const held: string[] = []
    for (let count = 0; count < 50; count += 1) held.push((await addStudy(1)).uuid)
    const works: string[] = []
    for (const uuid of held) {
      await push(uuid, slow.uuid)
      const [work] = await query<{ uuid: string }>(
        `select uuid from work where study_uuid = '${uuid}' and job = 'push-study'`,
      )
      works.push(work?.uuid ?? '')
    }
    const { uuid } = await addStudy(1)
    await push(uuid, fast.uuid)
    await expect.poll(() => stateOf(uuid), { timeout: 30_000 }).toEqual(['S', '1 of 1 image sent.'])
    const states = await Promise.all(held.map(async (one) => (await stateOf(one))[0]))
    expect(states.toSorted()).toEqual(['I', ...Array.from({ length: 49 }, () => 'N')])
    // those that wait end first, so that none begins meanwhile
    for (const work of works.toReversed()) await call('job/cancel', { sid: administrator.sid, uuid: work })
    await expect.poll(() => stateOf(held[0] ?? ''), { timeout: 30_000 }).toEqual(['F', 'This was cancelled'])
    expect(await stateOf(held[49] ?? '')).toEqual(['F', 'This was cancelled'])
  })

  it("[PROCESS-14] sends nothing where another patient's image comes at the moment at which it begins", async () => {
    const { uuid } = await addStudy(1)
    const { uuid: destination } = await destinationOf(pacs)
    // in the very moment at which the content of the push is fixed
    await query(`create function come_between() returns trigger language plpgsql as $$ begin
      update study set mixed_patients = true where uuid = new.study_uuid; return new; end $$`)
    await query(
      `create trigger come_between before update of content on push for each row execute function come_between()`,
    )
    onTestFinished(async () => void (await query(`drop function if exists come_between cascade`)))
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['F', 'The images name more than one patient'])
    expect(pacs.stored).toHaveLength(0)
  })

  it('is not for several patients, studies without images, strangers and closed destinations', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const { uuid, studyUid } = await addStudy(1)
    await upload(
      madeImage({ studyUid, number: 2, patientName: 'Somebody^Else', patientId: 'X9', birthDate: '19331212' }),
    )
    expect((await push(uuid, destination)).body.error_type).toBe('NOT_READY')
    const { uuid: fine } = await addStudy(1)
    await query(`update destination set group_uuids = array['${randomUUID()}'::uuid] where uuid = '${destination}'`)
    expect((await push(fine, destination)).body).toMatchObject({
      error_type: 'NOT_FOUND',
      error_subtype: 'destination_id',
    })
    await query(`update destination set group_uuids = null, can_push = false where uuid = '${destination}'`)
    expect((await push(fine, destination)).body.error_type).toBe('NOT_SUPPORTED')
    const clinician = await organisation.addPerson({ role: 'Clinician', groups: [group] })
    expect((await push(fine, destination, clinician)).body.error_type).toBe('NOT_PERMITTED')
  })

  it('is given up when its person may not send the exam any more', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const { uuid } = await addStudy(1)
    const leaver = await organisation.addPerson({ role: 'Staff', groups: [group] })
    pacs.script.refuse = rejections.congested
    await push(uuid, destination, leaver)
    await expect.poll(() => stateOf(uuid)).toEqual(['N', expect.stringContaining('it is busy')])
    await query(`delete from group_user where user_uuid = '${leaver.userUuid}'`)
    pacs.script = {}
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['F', expect.stringContaining('may not send the exam any more')])
    expect(pacs.stored).toEqual([])
  })
})

describe('before a push the study is looked up at the destination', () => {
  const there = (uid: string, patient: { name?: string; mrn?: string; birth?: string }) => [
    ...studyAnswer({ uid, name: patient.name ?? 'MADE^ADA', mrn: patient.mrn ?? 'M-1' }),
    { tag: Tag.PatientBirthDate, vr: 'DA', value: patient.birth ?? '19700101' },
  ]
  const own = { patientName: 'MADE^ADA', patientId: 'M-1', birthDate: '19700101' }
  const pushed = async (answers: (uid: string) => NonNullable<PeerScript['answers']>, more: PeerScript = {}) => {
    const { uuid, studyUid } = await addStudy(1, own)
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script = { ...more, answers: answers(studyUid) }
    await push(uuid, destination)
    return { uuid, destination, state: () => stateOf(uuid) }
  }

  it.each([
    ['another person', { name: 'OTHER^BOB', mrn: 'X-9', birth: '19331212' }, 'name, birth date, MRN'],
    ['somebody alike under another MRN', { mrn: 'H-2' }, 'MRN'],
  ])('[PROCESS-14] sends nothing where it is of %s there, and says why', async (_what, patient, words) => {
    const { uuid, state } = await pushed((uid) => [there(newUid(), {}), there(uid, patient)])
    const reason = `Not sent. The destination holds this exam under another patient: other ${words}. Somebody has to look at both first.`
    await expect.poll(state).toEqual(['F', reason])
    expect(pacs.asked).toBe(0)
    expect(await query(`select from study_lock where study_uuid = '${uuid}'`)).toEqual([])
    const [work] = await query<{ work: string }>(`select w::text as work from work w where w::text like '%${uuid}%'`)
    expect(work?.work).not.toMatch(/OTHER|X-9|H-2/)
  })

  it('[PROCESS-14] sends nothing where one of several answers is of another person, whichever comes last', async () => {
    const { state } = await pushed((uid) => [there(uid, { name: 'OTHER^BOB', mrn: 'X-9' }), there(uid, {})])
    await expect.poll(state).toEqual(['F', expect.stringContaining('under another patient: other name, MRN')])
    expect(pacs.asked).toBe(0)
  })

  it('[PROCESS-14] sends nothing where it says too little of its own patient, or an answer names no exam', async () => {
    const { uuid, studyUid } = await addStudy(1, { ...own, patientId: '' })
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script = { answers: [there(studyUid, {})] }
    await push(uuid, destination)
    await expect.poll(() => stateOf(uuid)).toEqual(['F', expect.stringContaining('too little of its patient')])
    const { state } = await pushed(() => [there('', { name: 'OTHER^BOB', mrn: 'X-9' })])
    await expect.poll(state).toEqual(['F', expect.stringContaining('did not say which exam')])
    expect(pacs.asked).toBe(0)
  })

  it('goes on where it is of the same patient there, spelled otherwise, and passes over answers about other studies', async () => {
    const { state } = await pushed((uid) => [
      there(newUid(), { name: 'OTHER^BOB', mrn: 'X' }),
      there(uid, { name: 'Made^Ada^^' }),
    ])
    await expect.poll(state).toEqual(['S', '1 of 1 image sent.'])
  })

  it.each<[string, PeerScript, RegExp]>([
    ['takes no queries', { classes: ['1.2.840.10008.5.1.4.1.1.7'] }, /does not take queries/],
    ['holds the study and names nobody', {}, /did not say of which patient/],
  ])('stops where the destination %s, unless it is set up to be sent to all the same', async (_what, script, words) => {
    const { uuid, destination, state } = await pushed((uid) => [studyAnswer({ uid, name: '', mrn: '' })], script)
    await expect.poll(state).toEqual(['F', expect.stringMatching(words)])
    expect(pacs.asked).toBe(0)
    expect(
      (await call('destination/set', { sid: administrator.sid, uuid: destination, push_unchecked: 1 })).body.status,
    ).toBe('OK')
    await push(uuid, destination)
    await expect.poll(state).toEqual(['S', expect.stringMatching(/^1 of 1 image sent\. It was not asked first/)])
  })

  it('asks again later where the destination broke off, and does not send meanwhile', async () => {
    const { uuid, state } = await pushed(() => [], { refuse: rejections.congested })
    await expect.poll(state).toEqual(['N', expect.stringMatching(/^Not sent, because .*it is busy/)])
    pacs.script = {}
    await hurry()
    await expect.poll(() => stateOf(uuid)).toEqual(['S', '1 of 1 image sent.'])
  })

  it('stops where search is switched off for a destination, and says where that is set', async () => {
    const { uuid } = await addStudy(1)
    const { uuid: destination } = await destinationOf(pacs)
    await query(`update destination set can_search = false where uuid = '${destination}'`)
    await push(uuid, destination)
    await expect
      .poll(() => stateOf(uuid))
      .toEqual(['F', expect.stringMatching(/set up without search.*Destinations has a setting/)])
  })
})

it('[LIST-06] images that come after a push are counted, and sent alone when asked for', async () => {
  const { uuid, studyUid } = await addStudy(2)
  const { uuid: destination } = await destinationOf(pacs)
  const late = async () => {
    const { body } = await call('study/list', { sid: staff.sid, 'filter.uuid.equals': uuid })
    return body.studies[0].study_push_status[0].late_image_count
  }
  await push(uuid, destination)
  await expect.poll(() => stateOf(uuid)).toEqual(['S', '2 of 2 images sent.'])
  expect(await late()).toBe(0)
  for (const number of [3, 4]) await upload(madeImage({ studyUid, number }))
  expect(await late()).toBe(2)
  const again = { sid: staff.sid, uuid, destination_id: destination }
  expect((await call('study/push', { ...again, late_images: 1 })).body.status).toBe('OK')
  await expect.poll(() => stateOf(uuid)).toEqual(['S', '4 of 4 images sent.'])
  expect([await late(), pacs.asked]).toEqual([0, 4])
  await call('study/push', again)
  await expect.poll(() => pacs.asked).toBe(8)
})

describe('a study of another archive', () => {
  /** Of the patient whom the answers of the peer name. */
  const foundImage = (image: MadeImage) => madeImage({ patientName: 'FOUND^ADA', ...image })
  const search = async (destination: string, criteria: object = { patient_name: 'Found' }, person = staff) => {
    const { body } = await call('destination/search', {
      sid: person.sid,
      uuid: destination,
      copy_to: group.namespaceUuid,
      ...criteria,
    })
    return body
  }
  const answer = async (uuid: string) => (await call('destination/search/get', { sid: staff.sid, uuid })).body
  const searched = async (destination: string, criteria?: object) => {
    const { uuid } = await search(destination, criteria)
    await expect.poll(async () => (await answer(uuid)).state).not.toBe('waiting')
    return answer(uuid)
  }
  const retrieve = (uuid: string, studyUid: string) =>
    call('destination/retrieve', { sid: staff.sid, destination_search_id: uuid, study_uid: studyUid })
  const staffMember = () => organisation.addPerson({ role: 'Staff', groups: [group] })
  const imagesOf = async (studyUid: string) =>
    Number(
      (
        await query<{ count: string }>(
          `select count(*) from instance i join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key
            where t.study_uid = '${studyUid}' and t.storage_namespace = '${group.namespaceUuid}'`,
        )
      )[0]?.count,
    )

  it('[API-45][ENTITY-25] is found, and marked where it is here already', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const here = await addStudy(1)
    const elsewhere = newUid()
    pacs.script.answers = [
      studyAnswer({ uid: here.studyUid, images: 4 }),
      studyAnswer({ uid: elsewhere, name: 'Яковлев^Пётр', mrn: 'A-1', modality: 'CT\\SR', date: '20250607' }),
    ]
    const { results, ...rest } = await searched(destination)
    expect(rest).toMatchObject({ state: 'done', more: 0, destination_id: destination })
    expect(results).toEqual([
      expect.objectContaining({ study_uid: here.studyUid, here_id: here.uuid, here_image_count: 1, image_count: 4 }),
      {
        study_uid: elsewhere,
        name_unread: 0,
        patient_name: 'Яковлев^Пётр',
        patient_birth_date: '',
        patient_sex: '',
        patientid: 'A-1',
        issuer: '',
        accession_number: '',
        study_date: '20250607',
        study_time: '',
        modality: 'CT,SR',
        study_description: '',
        referring_physician: '',
        source_ae: 'PACS',
        image_count: 1,
        here_id: '',
        here_image_count: 0,
        retrieval: null,
      },
    ])
  })

  it('[API-47] of a patient is asked for with destination and patient ID alone, for the organisation, and polled by its uuid', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.answers = ['M-47', 'M-48'].map((mrn) => studyAnswer({ uid: newUid(), mrn, name: 'Doe^Jane' }))
    const alone = { copy_to: undefined, patientid: 'M-47' }
    const { uuid } = await search(destination, alone)
    await expect.poll(async () => (await answer(uuid)).state).toBe('done')
    expect((await answer(uuid)).results).toMatchObject([{ patientid: 'M-47', patient_name: 'Doe^Jane' }])
    const [asked] = await query<{ phi_namespace: string }>(
      `select phi_namespace from destination_search where uuid = '${uuid}'`,
    )
    expect(asked?.phi_namespace).not.toBe(group.namespaceUuid)
    const clinician = await organisation.addPerson({ role: 'Viewer', groups: [group] })
    expect((await search(destination, alone, clinician)).error_type).toBe('NOT_PERMITTED')
    const stranger = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })
    for (const unknown of [destination, randomUUID()])
      expect((await search(unknown, alone, stranger)).error_type).toBe('NOT_FOUND')
    await query(`update destination set group_uuids = array['${group.groupUuid}'::uuid] where uuid = '${destination}'`)
    expect((await search(destination, alone)).error_type).toBe('NOT_FOUND')
  })

  it('[RETRIEVE-08][RETRIEVE-06][RETRIEVE-09] is searched for with something to go by and whole days, none of them to come', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    expect((await search(destination, {})).error_type).toBe('INSUFFICIENT_CRITERIA')
    expect((await search(destination, { patient_name: ' * ' })).error_type).toBe('INSUFFICIENT_CRITERIA')
    expect((await search(destination, { modality: 'CT', end_datetime: '2026-02-30' })).error_type).toBe('INVALID_VALUE')
    for (const [field, more] of [
      ['start_datetime', {}],
      ['end_datetime', { start_datetime: '2026-01-02' }],
    ] as const) {
      const asked = { modality: 'CT', ...more, [field]: '2200-01-02' }
      expect(await search(destination, asked)).toMatchObject({ error_type: 'INVALID_VALUE', error_subtype: field })
      expect((await search(destination, { ...asked, worklist: 1 })).error_type).not.toBe('INVALID_VALUE')
    }
    pacs.script.answers = ['20260101', '20260102', '20260103'].map((date) => studyAnswer({ uid: newUid(), date }))
    const day = { patientid: 'M1', start_datetime: '2026-01-02', end_datetime: '2026-01-03' }
    const { results } = await searched(destination, day)
    expect(results.map((one: { study_date: string }) => one.study_date)).toEqual(['20260102'])
  })

  it('[ERROR-13] is not found, in words, where the peer rejects us or says no', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    pacs.script.refuse = rejections.unknownCallingTitle
    expect(await searched(destination)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('does not know our AE title'),
    })
    pacs.script = { classes: ['1.2.840.10008.1.1'] }
    expect(await searched(destination)).toMatchObject({
      state: 'failed',
      message: 'The peer does not take queries (C-FIND)',
    })
  })

  it.each(['PACS', 'ANOTHER_TITLE'])(
    '[API-46][RETRIEVE-05] comes by C-MOVE into the chosen group, sent as %s, with its progress',
    async (sendsAs) => {
      const { uuid: destination } = await destinationOf(pacs)
      const uid = newUid()
      pacs.script = {
        sendsAs,
        answers: [studyAnswer({ uid, images: 3 })],
        files: [1, 2, 3].map((number) => foundImage({ studyUid: uid, number })),
        places: new Map([[nodeTitle, listeners.port]]),
      }
      const { uuid } = await searched(destination)
      const hook = await listenTo({ query }, organisation.accountUuid, 'DESTINATION_FETCH_SUCCESS')
      expect((await retrieve(uuid, newUid())).body.error_type).toBe('NOT_FOUND')
      expect((await retrieve(uuid, uid)).body.status).toBe('OK')
      await expect
        .poll(async () => (await answer(uuid)).results[0].retrieval)
        .toEqual({ state: 'done', message: '', completed: 3, total: 3 })
      expect(await imagesOf(uid)).toBe(3)
      const { here_id, here_image_count } = (await answer(uuid)).results[0]
      expect(here_image_count).toBe(3)
      expect(await deliveredStudies({ query }, hook)).toEqual([here_id])
    },
  )

  it('is told of by its place alone where what comes waits for approval', async () => {
    const approves = (does: boolean) =>
      query(`update app_group set must_approve_harvest = ${does} where uuid = '${group.groupUuid}'`)
    await approves(true)
    onTestFinished(() => approves(false).then(() => undefined))
    const { uuid: destination } = await destinationOf(pacs)
    const uid = newUid()
    pacs.script = {
      answers: [studyAnswer({ uid, images: 1 })],
      files: [foundImage({ studyUid: uid, number: 1 })],
      places: new Map([[nodeTitle, listeners.port]]),
    }
    const { uuid } = await searched(destination)
    const hook = await listenTo({ query }, organisation.accountUuid, 'DESTINATION_FETCH_SUCCESS')
    await retrieve(uuid, uid)
    await expect.poll(async () => (await answer(uuid)).results[0].retrieval?.state).toBe('done')
    expect(await query(`select must_approve from study where study_uid = '${uid}'`)).toEqual([{ must_approve: true }])
    expect(await deliveredStudies({ query }, hook)).toEqual([''])
  })

  it.each([
    ['nothing', 0, 'failed'],
    ['a part', 1, 'partial'],
  ])(
    'is not told as retrieved where the peer sent it to another address and %s is here',
    async (_what, here, state) => {
      other.script = {}
      const before = other.asked
      const { uuid: destination } = await destinationOf(pacs)
      const { studyUid: uid } = here > 0 ? await addStudy(here, { patientName: 'FOUND^ADA' }) : { studyUid: newUid() }
      pacs.script = {
        answers: [studyAnswer({ uid, images: 2 })],
        files: [1, 2].map((number) => foundImage({ studyUid: uid, number })),
        places: new Map([[nodeTitle, other.port]]),
      }
      const { uuid } = await searched(destination)
      const hook = await listenTo({ query }, organisation.accountUuid, 'DESTINATION_FETCH_FAIL')
      await retrieve(uuid, uid)
      const message = `The peer says that it sent all images (2); ${here} are here. Does its table have our address for this AE title?`
      await expect.poll(async () => (await answer(uuid)).results[0].retrieval).toMatchObject({ state, message })
      expect([other.asked - before, await imagesOf(uid)]).toEqual([2, here])
      // where nothing is here, of the place alone
      expect(await deliveredStudies({ query }, hook)).toEqual([here > 0 ? (await answer(uuid)).results[0].here_id : ''])
    },
  )

  it('comes by C-GET where the peer offers that alone, or does not know our title', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    for (const classes of [onlyGet, undefined]) {
      const uid = newUid()
      pacs.script = {
        ...(classes ? { classes } : {}),
        answers: [studyAnswer({ uid, images: 2 })],
        files: [1, 2].map((number) => foundImage({ studyUid: uid, number })),
      }
      const { uuid } = await searched(destination)
      await retrieve(uuid, uid)
      await expect.poll(async () => (await answer(uuid)).results[0].retrieval?.state).toBe('done')
      expect(await imagesOf(uid)).toBe(2)
    }
  })

  it('[RETRIEVE-03] brings nothing of another study, and is told as partly there', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const [uid, wrong] = [newUid(), newUid()]
    pacs.script = {
      answers: [studyAnswer({ uid, images: 2 })],
      files: [foundImage({ studyUid: uid, number: 1 }), foundImage({ studyUid: wrong, number: 1 })],
      places: new Map([[nodeTitle, listeners.port]]),
    }
    const { uuid } = await searched(destination)
    await retrieve(uuid, uid)
    await expect
      .poll(async () => (await answer(uuid)).results[0].retrieval)
      .toMatchObject({ state: 'partial', completed: 1, message: expect.stringContaining('1 images could not be sent') })
    expect([await imagesOf(uid), await imagesOf(wrong)]).toEqual([1, 0])
  })

  it.each([
    ['C-MOVE', undefined],
    ['C-GET', onlyGet],
  ])(
    '[RETRIEVE-03] of another patient than the destination listed is told, and held until somebody says whose it is: %s',
    async (_method, classes) => {
      const { uuid: destination } = await destinationOf(pacs)
      const uid = newUid()
      pacs.script = {
        ...(classes ? { classes } : {}),
        answers: [studyAnswer({ uid, images: 1 })],
        files: [foundImage({ studyUid: uid, number: 1, patientName: 'OTHER^BEA', patientId: 'M2' })],
        places: new Map([[nodeTitle, listeners.port]]),
      }
      const { uuid } = await searched(destination)
      const hook = await listenTo({ query }, organisation.accountUuid, 'DESTINATION_FETCH_FAIL')
      await retrieve(uuid, uid)
      await expect
        .poll(async () => (await answer(uuid)).results[0].retrieval)
        .toMatchObject({
          state: 'partial',
          message: expect.stringMatching(/^The images that came name another patient/),
        })
      const { here_id: here } = (await answer(uuid)).results[0]
      expect(await deliveredStudies({ query }, hook)).toEqual([here])
      await query(`update study set arrival = 'complete' where uuid = '${here}'`)
      expect((await call('study/get', { sid: staff.sid, uuid: here })).body).toMatchObject({ mixed_patients: 1 })
      const pushed = (await call('study/push', { sid: staff.sid, uuid: here, destination_id: destination })).body
      expect(pushed).toMatchObject({ error_type: 'NOT_READY' })
    },
  )

  it.each([
    ['the destination is closed to the group', 'The destination is no longer there for this group'],
    ['the person may fetch no more', 'The person who asked for it may not retrieve exams any more'],
  ])('is fetched no further when %s', async (what, message) => {
    const { uuid: destination } = await destinationOf(pacs)
    const person = await organisation.addPerson({ role: 'Staff', groups: [group] })
    const uid = newUid()
    pacs.script = { answers: [studyAnswer({ uid, images: 1 })] }
    const { uuid } = await search(destination, undefined, person)
    const told = async () => {
      const [row] = await query<{ state: string; message: string }>(
        `select state, message from retrieval where search_uuid = '${uuid}'`,
      )
      return row
    }
    await expect
      .poll(async () => (await call('destination/search/get', { sid: person.sid, uuid })).body.state)
      .not.toBe('waiting')
    pacs.script.hangs = true
    const hook = await listenTo({ query }, organisation.accountUuid, 'DESTINATION_FETCH_FAIL')
    const before = pacs.open
    await call('destination/retrieve', { sid: person.sid, destination_search_id: uuid, study_uid: uid })
    await expect.poll(() => pacs.open).toBe(before + 1)
    await (what.startsWith('the destination')
      ? query(`update destination set group_uuids = '{}' where uuid = '${destination}'`)
      : query(`delete from group_user where user_uuid = '${person.userUuid}'`))
    await expect.poll(told).toMatchObject({ state: 'failed', message })
    await expect.poll(() => deliveredStudies({ query }, hook)).toEqual([''])
  })

  it.each([
    ['the first withdraws', 'job/cancel', 0],
    ['the first may fetch no more', 'rights', 0],
    ['the second may fetch no more', 'rights', 1],
    ['nothing happens', 'nothing', 0],
  ])(
    '[RETRIEVE-03] that two people fetch at one time is shown to both and comes, though %s',
    async (_case, act, who) => {
      const { uuid: destination } = await destinationOf(pacs)
      const people = [await staffMember(), await staffMember()] as const
      const uid = newUid()
      const isHeld = Promise.withResolvers<void>()
      pacs.script = {
        answers: [studyAnswer({ uid, images: 2 })],
        files: [1, 2].map((number) => foundImage({ studyUid: uid, number })),
        places: new Map([[nodeTitle, listeners.port]]),
      }
      const searches: string[] = []
      const seen = async (at: number) => {
        const { body } = await call('destination/search/get', { sid: people[at]?.sid, uuid: searches[at] })
        return body.results[0]?.retrieval ?? null
      }
      for (const [at, person] of people.entries()) {
        searches.push((await search(destination, undefined, person)).uuid)
        await expect.poll(() => seen(at)).toBeNull()
        await expect
          .poll(async () => (await call('destination/search/get', { sid: person.sid, uuid: searches[at] })).body.state)
          .toBe('done')
      }
      pacs.script.beforeMoved = () => isHeld.promise
      const ask = (at: number) =>
        call('destination/retrieve', { sid: people[at]?.sid, destination_search_id: searches[at], study_uid: uid })
      await ask(0)
      await expect.poll(() => seen(0)).toMatchObject({ state: 'running' })
      // it is on its way for whoever looks at that moment, before and after they ask for it, too
      expect(await seen(1)).toMatchObject({ state: 'running' })
      await ask(1)
      expect([await seen(0), await seen(1)]).toMatchObject([{ state: 'running' }, { state: 'running' }])
      if (act === 'job/cancel') {
        const { work } = (await call('job/list', { sid: people[who]?.sid })).body
        const { uuid } = work.find((one: { job: string }) => one.job === 'retrieve-study')
        await call('job/cancel', { sid: people[who]?.sid, uuid })
      }
      if (act === 'rights') {
        // doors of one person are looked at in their order: this one after that of the retrieval
        const isLookedAt = Promise.withResolvers<void>()
        const stillMay = async () => {
          isLookedAt.resolve()
          return true
        }
        const userUuid = people[who]?.userUuid ?? ''
        onTestFinished(services.access.open({ userUuid, askedAt: performance.now(), stillMay, close: () => undefined }))
        await query(`delete from group_user where user_uuid = '${userUuid}'`)
        await isLookedAt.promise
      }
      isHeld.resolve()
      const others = act === 'nothing' ? [0, 1] : [1 - who]
      for (const at of others) await expect.poll(() => seen(at)).toMatchObject({ state: 'done', completed: 2 })
      expect(await imagesOf(uid)).toBe(2)
    },
  )

  it('[RETRIEVE-03] that two people fetch at one time comes no more once both have withdrawn', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const people = [await staffMember(), await staffMember()] as const
    const uid = newUid()
    pacs.script = { answers: [studyAnswer({ uid, images: 1 })] }
    const [told, searches]: [unknown[], string[]] = [[], []]
    for (const person of people) {
      const { uuid } = await search(destination, undefined, person)
      searches.push(uuid)
      const state = async () => (await call('destination/search/get', { sid: person.sid, uuid })).body.state
      await expect.poll(state).toBe('done')
    }
    pacs.script.hangs = true
    for (const [at, { sid }] of people.entries())
      await call('destination/retrieve', { sid, destination_search_id: searches[at], study_uid: uid })
    for (const person of people) {
      const { work } = (await call('job/list', { sid: person.sid })).body
      const { uuid } = work.find((one: { job: string }) => one.job === 'retrieve-study')
      told.push((await call('job/cancel', { sid: person.sid, uuid })).body.status)
    }
    expect(told).toEqual(['OK', 'OK'])
    const state = async () =>
      (await query<{ state: string }>(`select state from retrieval where study_uid = '${uid}'`))[0]
    await expect.poll(state).toEqual({ state: 'failed' })
  })

  it('is taken from nobody while nothing is being retrieved', async () => {
    const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: nodeTitle, callingTitle: 'PACS' }
    const proposal = { abstractSyntax: '1.2.840.10008.5.1.4.1.1.7', transferSyntaxes: [ExplicitLittleEndian] }
    await expect(requestAssociation(peer, [proposal])).rejects.toThrow('not called by this AE title')
  })

  it('is nobody’s business but that of who searched, who may', async () => {
    const { uuid: destination } = await destinationOf(pacs)
    const { uuid } = await search(destination)
    const colleague = await organisation.addPerson({ role: 'Staff', groups: [group] })
    expect((await call('destination/search/get', { sid: colleague.sid, uuid })).body.error_type).toBe('NOT_FOUND')
    const clinician = await organisation.addPerson({ role: 'Clinician', groups: [group] })
    expect((await search(destination, { modality: 'CT' }, clinician)).error_type).toBe('NOT_PERMITTED')
  })
})

describe('the test of a destination', () => {
  const test = async (uuid: string, more: object = {}) =>
    (await call('destination/test', { sid: administrator.sid, uuid, ...more })).body
  const outcomes = (body: { steps: { step: string; outcome: string }[] }) =>
    body.steps.map(({ step, outcome }) => `${step} ${outcome}`)

  it('tells what works and what does not, and is remembered', async () => {
    const { uuid } = await destinationOf(pacs)
    const good = await test(uuid)
    expect([good.ok, outcomes(good)]).toEqual([
      1,
      ['connect ok', 'echo ok', 'search ok', 'worklist ok', 'retrieve ok', 'store ok'],
    ])
    expect(pacs.stored).toEqual([])
    pacs.script.classes = onlyGet.filter((one) => !one.startsWith('1.2.840.10008.5.1.4.1.1.'))
    const half = await test(uuid)
    expect([half.ok, outcomes(half)]).toEqual([
      0,
      ['connect ok', 'echo ok', 'search ok', 'worklist refused', 'retrieve ok', 'store refused'],
    ])
    pacs.script = { refuse: rejections.unknownCallingTitle }
    const refused = await test(uuid)
    expect([outcomes(refused), refused.steps[0].message]).toEqual([
      ['connect failed'],
      expect.stringContaining('does not know our AE title'),
    ])
    const { body } = await call('destination/get', { sid: administrator.sid, uuid })
    expect(body.health).toMatchObject({ ok: 0, steps: refused.steps })
    await call('destination/set', { sid: administrator.sid, uuid, port: 1 })
    expect((await call('destination/get', { sid: administrator.sid, uuid })).body.health).toBeNull()
    expect(outcomes(await test(uuid))).toEqual(['connect failed'])
  })

  it('stores one image of nobody where that is asked for, and tells the answer to it', async () => {
    const { uuid } = await destinationOf(pacs)
    const steps = async () => (await test(uuid, { send_image: 1 })).steps.at(-1)
    expect(await steps()).toMatchObject({
      step: 'image',
      outcome: 'ok',
      message: expect.stringMatching(/TEST IMAGE.*HILUM-TEST-IMAGE/),
    })
    expect(await steps()).toMatchObject({ step: 'image', outcome: 'ok' })
    expect(pacs.stored).toHaveLength(2)
    for (const file of pacs.stored)
      expect([textIn(file, Tag.PatientID), textIn(file, Tag.PatientName)]).toEqual([
        'HILUM-TEST-IMAGE',
        'TEST IMAGE^HILUM',
      ])
    // they are deleted there together
    expect(new Set(pacs.stored.map((file) => textIn(file, Tag.StudyInstanceUID))).size).toBe(1)
    expect(new Set(pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))).size).toBe(2)
    pacs.script.statusOf = () => 0xa700
    expect(await steps()).toMatchObject({ step: 'image', outcome: 'failed', message: expect.stringContaining('A700') })
    const [audited] = await query<{ detail: object }>(
      `select detail from audit where object_uuid = '${uuid}' and action = 'TEST' order by id desc limit 1`,
    )
    expect(audited?.detail).toMatchObject({ image: 'failed' })
    await call('destination/set', { sid: administrator.sid, uuid, can_push: 0 })
    expect(outcomes(await test(uuid, { send_image: 1 }))).not.toContain('image ok')
    expect(pacs.stored).toHaveLength(2)
  })
})

describe('[API-44][ENTITY-24] destinations and nodes', () => {
  const add = (more: object = {}) =>
    call('destination/add', {
      sid: administrator.sid,
      account_id: accountUuid,
      name: 'Archive',
      aetitle: 'ARCHIVE',
      address: 'pacs.hospital.example',
      port: 104,
      ...more,
    })

  it.each([
    ['aetitle', { aetitle: 'back\\slash' }],
    ['address', { address: 'not a host' }],
    ['port', { port: 70_000 }],
    ['tls_certificate', { tls_certificate: '-----BEGIN PRIVATE KEY-----' }],
    ['max_associations', { max_associations: 99 }],
    ['group_ids', { group_ids: [randomUUID()] }],
  ])('refuse a wrong %s', async (field, wrong) => {
    expect((await add(wrong)).body).toMatchObject({ error_type: 'INVALID_VALUE', error_subtype: field })
  })

  it('are listed to who may see them, called by a node of the account', async () => {
    const { body } = await add({ can_search: 1, group_ids: [group.groupUuid] })
    expect((await add()).body.error_type).toBe('DUP_AETITLE')
    const listed = await call('destination/list', {
      sid: staff.sid,
      account_id: accountUuid,
      'filter.uuid.in': [body.uuid],
    })
    expect(listed.body.destinations).toEqual([
      expect.objectContaining({
        uuid: body.uuid,
        name: 'Archive',
        aetitle: 'ARCHIVE',
        type: 'DICOM',
        address: 'pacs.hospital.example',
        can_search: 1,
        can_push: 1,
        node_aetitle: nodeTitle,
        group_ids: [group.groupUuid],
      }),
    ])
    expect((await call('destination/delete', { sid: administrator.sid, uuid: body.uuid })).body.status).toBe('OK')
    expect((await call('destination/get', { sid: administrator.sid, uuid: body.uuid })).body.error_type).toBe(
      'NOT_FOUND',
    )
  })

  it('a first node is made with the first destination, under a title that nobody has', async () => {
    const fresh = await makeOrganisation(services.db)
    const person = await fresh.addPerson({ role: 'Administrator' })
    const { body } = await call('destination/add', {
      sid: person.sid,
      account_id: fresh.accountUuid,
      name: 'First',
      aetitle: 'FIRST',
      address: '10.0.0.1',
      port: 104,
    })
    const { body: nodes } = await call('node/list', { sid: person.sid, account_id: fresh.accountUuid })
    expect(nodes.nodes).toEqual([expect.objectContaining({ aetitle: 'HILUM_NODE', type: 'VIRTUAL' })])
    const [node] = nodes.nodes
    expect((await call('node/delete', { sid: person.sid, uuid: node.uuid })).body).toMatchObject({
      error_type: 'HAS_DESTINATIONS',
      error_data: { destinations: ['First'] },
    })
    expect((await call('node/set', { sid: person.sid, uuid: node.uuid, aetitle: nodeTitle })).body.error_type).toBe(
      'DUP_AETITLE',
    )
    expect((await call('node/set', { sid: person.sid, uuid: node.uuid, aetitle: 'OUR_OWN' })).body.status).toBe('OK')
    const got = await call('destination/get', { sid: person.sid, uuid: body.uuid })
    expect(got.body.node_aetitle).toBe('OUR_OWN')
    const seen = { name: node.name, aetitle: 'OUR_OWN' }
    const rename = (name: string) => call('node/set', { sid: person.sid, uuid: node.uuid, name, seen })
    expect((await rename('Gateway')).body.status).toBe('OK')
    expect((await rename('Somebody else was first')).body.error_type).toBe('STALE')
    // the destination is gone: so may the node be
    await call('destination/delete', { sid: person.sid, uuid: body.uuid })
    expect((await call('node/delete', { sid: person.sid, uuid: node.uuid })).body.status).toBe('OK')
  })
})
