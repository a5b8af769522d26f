import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, organisation, received, stop } = await makeSharing({ services, call })

const owner = await organisation.addPerson({ role: 'Administrator' })

const again = async (sid: string, sent: object) => (await call('study/share', { sid, ...sent })).body.share
const run = { work: 'w', signal: new AbortController().signal }
const deliver = (shareUuid: string) => deliverShareActs.run(services, { shareUuid }, run)
/** Minutes from now to a stamp of the wire. */
const minutesTo = (stamp: string) =>
  Math.round((Date.parse(stamp.replace(' ', 'T').replace('+00', 'Z')) - Date.now()) / 60_000)
async function makePartner() {
  const partner = await makeOrganisation(services.db)
  await query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
    values (gen_random_uuid(), '${accountUuid}', '${partner.accountUuid}', now())`)
  return { ...partner, person: await partner.addPerson({ role: 'Staff' }) }
}
const attach = (study: string) =>
  query(`insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, length)
    select phi_namespace, uuid, gen_random_uuid(), gen_random_uuid(), 'report.pdf', account_uuid, sha256('x'), 1
    from study where uuid = '${study}'`)

/** Changes of the shares of a record, as its history has them, oldest first. */
const editsOf = async (study: string) => {
  const rows = await query<{ actor_name: string; detail: Record<string, unknown> }>(
    `select actor_name, detail - 'with' - 'to' as detail from audit where object_uuid = '${study}' and action = 'EDIT' and type = 'Study_share' order by id`,
  )
  return rows.map(({ actor_name: who, detail }) => ({ who, ...detail }))
}

it('gives the attachments, the end and the message that are asked for later to a recipient who has the exam already', async () => {
  const { sid, person, study, uuid } = await makePlace()
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  const first = await again(sid, { ...sent, expires: 10_080, message: 'First' })
  expect(first).toMatchObject({ is_new: 1, changed: [], run_at: null })
  expect(minutesTo(first.expires_at)).toBe(10_080)
  await attach(uuid)
  const second = await again(sid, { ...sent, attachments: 1, expires: 60, message: 'Second' })
  expect(second).toMatchObject({ uuid: first.uuid, is_new: 0 })
  expect(second.changed.toSorted()).toEqual(['attachments', 'end', 'message'])
  const told = { who: person.name, share: first.uuid, expires_at: [first.expires_at, second.expires_at] }
  expect(await editsOf(uuid)).toEqual([{ ...told, attachments: true, message: true }])
  expect(minutesTo(second.expires_at)).toBe(60)
  expect(await received(to.person, study.study_uid)).toMatchObject({ attachment_count: 1, share_message: 'Second' })
  // the shorter end holds for the recipient, too
  const [source] = await query<{ minutes: number }>(
    `select round(extract(epoch from ends_at - now()) / 60)::integer as minutes from study_source where share_uuid = '${first.uuid}'`,
  )
  expect(source?.minutes).toBe(60)
})

it('leaves the end of a share where sharing again names none, lets it go on for good where that is asked for, and sends files that were attached since', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  await attach(uuid)
  const first = await again(sid, { ...sent, expires: 600, attachments: 1 })
  const same = await again(sid, sent)
  expect(same).toEqual({ ...first, is_new: 0 })
  await attach(uuid)
  expect(await again(sid, { ...sent, attachments: 1 })).toMatchObject({ changed: ['attachments'] })
  expect(await received(to.person, study.study_uid)).toMatchObject({ attachment_count: 2 })
  expect(await again(sid, { ...sent, expires: 0 })).toMatchObject({ changed: ['end'], expires_at: null })
  const ends = await query(`select ends_at from study_source where share_uuid = '${first.uuid}'`)
  expect(ends).toEqual([{ ends_at: null }])
})

it('ends what was passed on with the share that was made shorter', async () => {
  const { sid, study, uuid } = await makePlace()
  const one = await makePlace()
  const last = await organisation.addPerson()
  await again(sid, { uuid, group_id: one.group.groupUuid })
  const theirs = (await received(one, study.study_uid))?.uuid
  const passed = await again(one.sid, { uuid: theirs, user_id: last.userUuid })
  await again(sid, { uuid, group_id: one.group.groupUuid, expires: 30 })
  const [source] = await query<{ minutes: number }>(
    `select round(extract(epoch from ends_at - now()) / 60)::integer as minutes from study_source where share_uuid = '${passed.uuid}'`,
  )
  expect(source?.minutes).toBe(30)
})

it('keeps the earlier moment of two that were asked for, and says which one holds', async () => {
  const { sid, group, study, uuid } = await makePlace()
  const colleague = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  const first = await again(sid, { ...sent, delay: 86_400, message: 'As agreed' })
  expect(minutesTo(first.run_at)).toBe(1440)
  const later = await again(colleague.sid, { ...sent, delay: 172_800 })
  expect(later).toMatchObject({ uuid: first.uuid, is_new: 0, changed: [], run_at: first.run_at })
  const sooner = await again(colleague.sid, { ...sent, delay: 180 })
  expect(sooner).toMatchObject({ uuid: first.uuid, is_new: 0, changed: ['moment'] })
  expect(minutesTo(sooner.run_at)).toBe(3)
  const [work] = await query<{ minutes: number }>(
    `select round(extract(epoch from run_at - now()) / 60)::integer as minutes from work where key = '${first.uuid}'`,
  )
  expect(work?.minutes).toBe(3)
  const told = { who: colleague.name, share: first.uuid, taken_over: true }
  expect(await editsOf(uuid)).toEqual([
    told,
    { who: colleague.name, share: first.uuid, run_at: [first.run_at, sooner.run_at] },
  ])
  await deliver(first.uuid)
  expect(await received(to.person, study.study_uid)).toMatchObject({ share_message: 'As agreed' })
})

it('sends what waits with the tick of whoever looked at the patients of its images since', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid, delay: 600 }
  const first = await again(sid, sent)
  await query(`update study set mixed_patients = true where uuid = '${uuid}'`)
  await again(sid, { ...sent, mixed_patients: 1 })
  await deliver(first.uuid)
  expect(await received(to.person, study.study_uid)).toBeDefined()
})

it('sends at once what was to leave tomorrow with attached files and words, and drops neither', async () => {
  const { sid, group, study, uuid } = await makePlace()
  const colleague = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const to = await makePartner()
  await attach(uuid)
  await again(sid, {
    uuid,
    account_id: to.accountUuid,
    delay: 86_400,
    attachments: 1,
    expires: 60,
    message: 'As agreed',
  })
  const now = await again(colleague.sid, { uuid, account_id: to.accountUuid })
  expect(now).toMatchObject({ is_new: 0, changed: ['moment'], run_at: null })
  expect(minutesTo(now.expires_at)).toBe(60)
  expect(await received(to.person, study.study_uid)).toMatchObject({ share_message: 'As agreed', attachment_count: 1 })
})

it('takes the custom fields that are filled in again, by a share code, while the share waits, and says that those of an exam that is there stay', async () => {
  const { sid, study, uuid } = await makePlace()
  const there = await makePlace()
  await query(`update app_group set share_code = 'AGAIN1' where uuid = '${there.group.groupUuid}'`)
  const field = { account_id: accountUuid, object: 'Study', type: 'text', capture_on_share_code: 1 }
  const define = async (name: string) => (await call('customfield/add', { sid: owner.sid, ...field, name })).body.uuid
  const [clinic, trial] = [await define('Clinic'), await define('Trial')]
  const fill = (values: [string, string][]) =>
    Object.fromEntries(values.map(([id, value]) => [`customfield-${id}`, value]))
  const sent = { uuid, share_code: 'AGAIN1' }
  const first = await again(sid, {
    ...sent,
    delay: 600,
    ...fill([
      [clinic, 'West'],
      [trial, 'A'],
    ]),
  })
  const changed = await again(sid, { ...sent, delay: 600, ...fill([[clinic, 'East']]) })
  expect(changed).toMatchObject({ uuid: first.uuid, is_new: 0, changed: ['customfields'], left_out: [] })
  expect(await editsOf(uuid)).toMatchObject([{ share: first.uuid, customfields: true }])
  const same = await again(sid, { ...sent, delay: 600, ...fill([[clinic, 'East']]) })
  expect(same.changed).toEqual([])
  await deliver(first.uuid)
  const fieldsThere = () =>
    query(
      `select customfields from study where phi_namespace = '${there.group.namespaceUuid}' and study_uid = '${study.study_uid}'`,
    )
  expect(await fieldsThere()).toEqual([{ customfields: { [clinic]: 'East', [trial]: 'A' } }])
  expect((await again(sid, { ...sent, ...fill([[clinic, 'East']]) })).left_out).toEqual([])
  const late = await again(sid, { ...sent, ...fill([[clinic, 'South']]) })
  expect(late).toMatchObject({ uuid: first.uuid, is_new: 0, changed: [], left_out: ['customfields'] })
  expect(await fieldsThere()).toEqual([{ customfields: { [clinic]: 'East', [trial]: 'A' } }])
})

it('names all that became different of what waited and is sent at once', async () => {
  const { sid, uuid } = await makePlace()
  const to = await makePartner()
  await attach(uuid)
  const sent = { uuid, account_id: to.accountUuid }
  await again(sid, { ...sent, delay: 86_400, message: 'As agreed' })
  const now = await again(sid, { ...sent, attachments: 1, expires: 60, message: 'Sooner' })
  expect(now).toMatchObject({ is_new: 0, changed: ['moment', 'attachments', 'end', 'message'] })
})

it('changes nothing later of an access that stands, and says so', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  await attach(uuid)
  const first = await again(sid, { ...sent, expires: 600, message: 'First' })
  const later = await again(sid, { ...sent, delay: 180, attachments: 1, expires: 0, message: 'Later' })
  expect(later).toEqual({ ...first, is_new: 0, left_out: ['delay'] })
  expect(await received(to.person, study.study_uid)).toMatchObject({ attachment_count: 0, share_message: 'First' })
  expect(await editsOf(uuid)).toEqual([])
})

it.each([
  ['is frozen', `is_frozen = true`, { error_type: 'NOT_PERMITTED', error_subtype: 'frozen' }],
  ['waits for approval', `must_approve = true`, { error_type: 'NOT_PERMITTED', error_subtype: 'must_approve' }],
  ['has no image', `arrival = 'announced'`, { error_type: 'PHANTOM' }],
  ['names several patients', `mixed_patients = true`, { error_type: 'NOT_READY', error_subtype: 'mixed_patients' }],
  [
    'is of another patient there',
    `patient_name = 'ROE^RICHARD', patientid = 'R1', patient_birth_date = '19500101'`,
    { error_type: 'SHARE_FAILED', error_subtype: 'OTHER_PATIENT' },
  ],
])(
  'gives no more of an exam that %s to whoever has it, as by a new share, but takes a sooner end',
  async (_, set, refused) => {
    const { sid, study, uuid } = await makePlace('Administrator')
    const [to, other] = [await makePartner(), await makePartner()]
    const sent = { uuid, account_id: to.accountUuid }
    await attach(uuid)
    await query(
      `update study set patientid = 'D1', issuer = 'X', patient_birth_date = '19800101' where uuid = '${uuid}'`,
    )
    await again(sid, { ...sent, expires: 600, message: 'First' })
    const theirs = await received(to.person, study.study_uid)
    await query(`update study set ${set} where uuid = '${uuid}'`)
    const ask = async (more: object) => (await call('study/share', { sid, ...more })).body
    // whoever has no record of the exam has none of another patient
    const asNew = refused.error_type === 'SHARE_FAILED' ? refused : await ask({ uuid, account_id: other.accountUuid })
    expect(asNew).toMatchObject(refused)
    for (const more of [{ attachments: 1 }, { expires: 0 }, { expires: 601 }, { message: 'Second' }])
      expect(await ask({ ...sent, ...more })).toMatchObject(refused)
    expect(await received(to.person, study.study_uid)).toEqual(theirs)
    expect(await editsOf(uuid)).toEqual([])
    const sooner = await again(sid, { ...sent, expires: 30 })
    expect(sooner).toMatchObject({ changed: ['end'], left_out: [] })
    expect(minutesTo(sooner.expires_at)).toBe(30)
  },
)

it('gives files of several patients to whoever has the exam once somebody looked at them', async () => {
  const { sid, uuid } = await makePlace()
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  await attach(uuid)
  await again(sid, sent)
  await query(`update study set mixed_patients = true where uuid = '${uuid}'`)
  expect(await again(sid, { ...sent, attachments: 1, mixed_patients: 1 })).toMatchObject({ changed: ['attachments'] })
})

it('leaves the words of another share alone on the record that it made, and says that the message was left out', async () => {
  const { sid, study, uuid } = await makePlace()
  const other = await makePlace()
  const to = await makePartner()
  await again(other.sid, { uuid: other.uuid, account_id: to.accountUuid })
  await query(`update study set study_uid = '${study.study_uid}' where study_uid = '${other.study.study_uid}'`)
  await query(`update stored_study set study_uid = '${study.study_uid}' where study_uid = '${other.study.study_uid}'`)
  const sent = { uuid, account_id: to.accountUuid }
  const first = await again(sid, sent)
  const second = await again(sid, { ...sent, message: 'Mine' })
  expect(second).toEqual({ ...first, is_new: 0, left_out: ['message'] })
  expect(await received(to.person, study.study_uid)).toMatchObject({ share_message: '' })
  expect(await query(`select message from share where uuid = '${first.uuid}'`)).toEqual([{ message: '' }])
})

it('adds files to what waits for approval and none to what was approved, and changes no message that waits', async () => {
  const { sid, study, uuid } = await makePlace()
  const group = await organisation.addGroup()
  await query(`update app_group set must_approve = true where uuid = '${group.groupUuid}'`)
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const sent = { uuid, group_id: group.groupUuid }
  await attach(uuid)
  await again(sid, { ...sent, message: 'First' })
  const waiting = await again(sid, { ...sent, attachments: 1, message: 'Second' })
  expect(waiting).toMatchObject({ changed: ['attachments'], left_out: ['message'] })
  const theirs = await received(approver, study.study_uid)
  expect(theirs).toMatchObject({ must_approve: 1, attachment_count: 1, share_message: 'First' })
  expect((await call('study/approve', { sid: approver.sid, uuid: theirs?.uuid })).body).toMatchObject(done)
  expect(await again(sid, { ...sent, attachments: 1 })).toMatchObject({ changed: [], left_out: [] })
  await attach(uuid)
  expect(await again(sid, { ...sent, attachments: 1 })).toMatchObject({ changed: [], left_out: ['attachments'] })
  expect(await received(approver, study.study_uid)).toMatchObject({ must_approve: 0, attachment_count: 1 })
  // an end asks for no approval
  expect(await again(sid, { ...sent, expires: 60, message: 'Third' })).toMatchObject({ changed: ['end', 'message'] })
})

it('notes from when to when an access was extended', async () => {
  const { sid, person, uuid } = await makePlace()
  const to = await makePartner()
  const first = await again(sid, { uuid, account_id: to.accountUuid, expires: 60 })
  const { expires_at: until } = (
    await call('study/share/extend', { sid, uuid, account_id: to.accountUuid, minutes_left: 600 })
  ).body
  const [edit] = await editsOf(uuid)
  expect(edit).toMatchObject({ who: person.name, share: first.uuid, expires_at: [expect.any(String), until] })
  expect(minutesTo((edit as unknown as { expires_at: [string] }).expires_at[0])).toBe(60)
})

it('lets nobody undo the sending of a colleague, nor one that a colleague has asked for since', async () => {
  const { sid, group, study, uuid } = await makePlace()
  const colleague = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  const undo = (who: string, shareUuid: string) => stop(who, { ...sent, scheduled_only: 1, share_id: shareUuid })
  const refused = { error_type: 'NOT_PERMITTED', error_subtype: 'other' }
  const first = await again(sid, { ...sent, delay: 180 })
  expect(await undo(colleague.sid, first.uuid)).toMatchObject(refused)
  await again(colleague.sid, { ...sent, delay: 180 })
  expect(await undo(sid, first.uuid)).toMatchObject(refused)
  await deliver(first.uuid)
  expect(await received(to.person, study.study_uid)).toBeDefined()
  // of a sending of one's own that nobody joined
  const other = await makePartner()
  const own = await again(sid, { uuid, account_id: other.accountUuid, delay: 180 })
  const ofOwn = { uuid, account_id: other.accountUuid, scheduled_only: 1 }
  expect(await stop(sid, { ...ofOwn, share_id: first.uuid })).toMatchObject(refused)
  expect(await stop(sid, { ...ofOwn, share_id: own.uuid })).toEqual(done)
})

it('changes nothing of a share with attached files for a person who may not give these, and says so', async () => {
  const { sid, group, uuid } = await makePlace()
  const narrow = await organisation.addPerson({ groups: [group] })
  await query(`with made as (
      insert into role (uuid, account_uuid, name, permissions)
      values (gen_random_uuid(), '${accountUuid}', 'Sender', '{study_view,study_share,study_share_account}') returning uuid
    ) update group_user set role_uuid = made.uuid from made where user_uuid = '${narrow.userUuid}'`)
  const to = await makePartner()
  const sent = { uuid, account_id: to.accountUuid }
  await attach(uuid)
  const first = await again(sid, { ...sent, attachments: 1, expires: 600 })
  expect(await again(narrow.sid, { ...sent, expires: 60, message: 'Mine' })).toEqual({ ...first, is_new: 0 })
  const other = await makePartner()
  const ofOther = { uuid, account_id: other.accountUuid }
  await again(sid, { ...ofOther, attachments: 1, delay: 86_400 })
  expect((await call('study/share', { sid: narrow.sid, ...ofOther })).body).toMatchObject({
    error_type: 'NOT_PERMITTED',
    error_subtype: 'attachments',
  })
})
