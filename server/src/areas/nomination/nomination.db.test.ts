import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from './gate-fields.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const gateFields = await ensureGateFields(services.db, accountUuid)
const administrator = await organisation.addPerson({ role: 'Administrator' })
const ask = async (path: string, sid: string, sent: object = {}) => (await call(path, { sid, ...sent })).body
const question = (
  await ask('customfield/add', administrator.sid, {
    account_id: accountUuid,
    name: 'Why',
    object: 'Study',
    required: 1,
  })
).uuid as string
const answer = { [`customfield-${question}`]: 'Surgery' }
const fieldOf = (key: string) => gateFields[key] ?? ''

/** A cloud group and a gatekeeper group, with people of both and a study to nominate. */
async function makeGate(config: object = { pacs_form_customfields: [question] }) {
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', ...config } })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const clinician = await organisation.addPerson({ groups: [cloud] })
  const reviewer = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const study = await makeStudy(services.db, { ...cloud, accountUuid }, { patient_name: 'DOE^JANE' })
  const nominate = (more: object = answer, uuid = study.uuid) =>
    ask('study/share', clinician.sid, { uuid, group_id: gate.groupUuid, ...more })
  const cancel = () => ask('study/share/stop', clinician.sid, { uuid: study.uuid, group_id: gate.groupUuid })
  const listed = async (filter: object = {}) =>
    (await ask('study/list', reviewer.sid, { 'filter.phi_namespace.equals': gate.namespaceUuid, ...filter })).studies
  return {
    gate,
    cloud,
    clinician,
    reviewer,
    study,
    nominate,
    cancel,
    listed,
    source: () => ask('study/get', clinician.sid, { uuid: study.uuid, customfield_h: 1 }),
    /** The record of the gatekeeper group. */
    atGate: async () => {
      const [found] = await listed({ customfield_h: 1 })
      return found
    },
    reject: (uuid: string, why: object = { reason: 'No indication', message: 'Ask again' }) => {
      const { reason = '', message = '' } = why as { reason?: string; message?: string }
      return ask('study/set', reviewer.sid, {
        study_id: uuid,
        [`customfield-${fieldOf('is_process_form_rejected')}`]: '1',
        [`customfield-${fieldOf('process_rejection_reason')}`]: reason,
        [`customfield-${fieldOf('process_rejection_message')}`]: message,
      })
    },
    /** Chooses a destination and patient as the screen does, and confirms. */
    send: async (uuid: string, sent: object = {}, destination = '') => {
      const to =
        destination || (await makeDestination({ query }, accountUuid, { title: randomUUID().slice(0, 8) })).uuid
      await ask('study/set', reviewer.sid, {
        study_id: uuid,
        [`customfield-${fieldOf('push_destination')}`]: to,
        ...sent,
      })
      return ask('study/push/confirm', reviewer.sid, { uuid, mrn_reason: 'Exams come without a number' })
    },
  }
}
const views = {
  nominations: { 'filter.must_approve.equals': 1, 'filter.study_push_status.not_equals': 'rejected' },
  queued: { 'filter.study_push_status.in': ['I', 'N', 'P'] },
  rejected: { 'filter.study_push_status.equals': 'rejected' },
}
/** In how many of the views of the gatekeeper group a study stands. */
async function seen({ listed }: Awaited<ReturnType<typeof makeGate>>) {
  const counts = Object.entries(views).map(async ([name, filter]) => [name, (await listed(filter)).length] as const)
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0))
}
/** A push came so far. */
const pushIs = (uuid: string, status: string) =>
  query(`update push set status = '${status}' where study_uuid = '${uuid}'`)
const done = { status: 'OK' }

it('[NOMINATE-01][ENTITY-08] gives the form of each gatekeeper group that the place nominates to', async () => {
  const { clinician, reviewer, gate, study } = await makeGate()
  const { gatekeepers } = await ask('study/nominate/form', clinician.sid, { uuid: study.uuid })
  expect(gatekeepers).toMatchObject([
    { uuid: gate.groupUuid, customfields: [{ uuid: question, name: 'Why', required: 1 }], missing_fields: 0 },
  ])
  const { namespaces } = await ask('user/namespace/list', reviewer.sid)
  const { settings } = namespaces.find((one: { uuid: string }) => one.uuid === gate.namespaceUuid)
  expect(settings.inbox_config).toMatchObject({
    pacs_form_customfields: [question],
    meta_info_customfields: gateFields,
  })
})

it('[NOMINATE-04][ENTITY-07][LIST-07] nominates: the gatekeeper group has the study, and both records tell of it', async () => {
  const world = await makeGate()
  const { nominate, source, atGate, gate, study } = world
  // fields of the gate that an outside client writes are passed over
  const besides = { [`customfield-${fieldOf('submission_status')}`]: '0' }
  expect(await nominate({ ...answer, ...besides })).toEqual(done)
  const told = {
    [question]: 'Surgery',
    [fieldOf('submission_status')]: '1',
    [fieldOf('source_study_id')]: study.uuid,
    [fieldOf('submitted_at')]: expect.stringMatching(/^\d{4}-/),
    [fieldOf('is_process_form_rejected')]: '',
    [fieldOf('nomination_push_status')]: '',
  }
  const given = await source()
  expect(given.customfield_h).toMatchObject(told)
  expect(JSON.parse(given.customfield_h[fieldOf('selected_gatekeeper')])).toMatchObject({ uuid: gate.groupUuid })
  expect(given.nomination).toMatchObject({ side: 'source', state: 'nominated', answers: { [question]: 'Surgery' } })
  const got = await atGate()
  expect(got).toMatchObject({ must_approve: 1, source: 'share', customfield_h: told })
  expect(got.nomination).toMatchObject({ side: 'gate', state: 'nominated', from_name: given.phi_namespace_name })
  expect(await seen(world)).toEqual({ nominations: 1 })
  // again changes nothing
  expect(await nominate()).toEqual(done)
  expect((await atGate()).uuid).toBe(got.uuid)
})

it('[NOMINATE-05] cancels: the share is stopped, and nothing of the nomination is told any more', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  expect(await world.cancel()).toEqual(done)
  const given = await world.source()
  expect([given.nomination, given.customfield_h[fieldOf('submission_status')]]).toEqual([undefined, ''])
  expect(await seen(world)).toEqual({})
  // a reviewer who had it open is told that it is gone
  expect((await world.send(uuid)).error_type).toBe('NOT_FOUND')
  expect((await world.reject(uuid)).error_type).toBe('NOT_FOUND')
})

it('[NOMINATE-06] asks for what the form requires, and takes nothing that it does not ask for', async () => {
  const { nominate, atGate } = await makeGate()
  expect(await nominate({})).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['Why'] })
  expect(await nominate({ [`customfield-${question}`]: '  ' })).toMatchObject({ error_type: 'MISSING_FIELDS' })
  expect(await nominate({ ...answer, [`customfield-${randomUUID()}`]: 'x' })).toMatchObject({
    error_type: 'INVALID_CUSTOMFIELD',
  })
  expect(await nominate({ ...answer, delay: 60 })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  expect(await atGate()).toBeUndefined()
})

it.each(['H', 'O'])(
  '[NOMINATE-06][ERROR-23] tells of required questions that access %s keeps from the sender, and asks none that it refuses',
  async (letter) => {
    const add = async (name: string, required: number) =>
      (await ask('customfield/add', administrator.sid, { account_id: accountUuid, name, object: 'Study', required }))
        .uuid
    const [closed, wanted, open] = [await add('Closed', 1), await add('Wanted', 0), await add('Open', 1)]
    const { clinician, study, nominate } = await makeGate({ pacs_form_customfields: [closed, wanted, open] })
    for (const uuid of [closed, wanted]) await ask('customfield/set', administrator.sid, { uuid, field_flag: letter })
    const { gatekeepers } = await ask('study/nominate/form', clinician.sid, { uuid: study.uuid })
    expect(gatekeepers).toMatchObject([{ customfields: [{ uuid: open }], missing_fields: 0, closed_fields: 1 }])
    expect((await nominate({ [`customfield-${open}`]: 'x' })).error_type).toBe('MISSING_FIELDS')
    await ask('customfield/set', administrator.sid, { uuid: closed, required: 0 })
    const { gatekeepers: after } = await ask('study/nominate/form', clinician.sid, { uuid: study.uuid })
    expect(after).toMatchObject([{ customfields: [{ uuid: open }], closed_fields: 0 }])
    expect(await nominate({ [`customfield-${open}`]: 'x' })).toEqual(done)
  },
)

it('[ERROR-23] refuses where the configuration names fields that are gone, is missing, or does not lead there', async () => {
  const gone = (
    await ask('customfield/add', administrator.sid, { account_id: accountUuid, name: 'Gone', object: 'Study' })
  ).uuid
  expect(await ask('customfield/delete', administrator.sid, { uuid: gone })).toEqual(done)
  const world = await makeGate({ pacs_form_customfields: [gone] })
  const { gatekeepers } = await ask('study/nominate/form', world.clinician.sid, { uuid: world.study.uuid })
  expect(gatekeepers).toMatchObject([{ customfields: [], missing_fields: 1 }])
  expect((await world.nominate({})).error_type).toBe('NOT_SUPPORTED')
  await query(`delete from setting where key = 'inbox_config' and scope_uuid = '${world.gate.namespaceUuid}'`)
  expect((await world.nominate({})).error_type).toBe('NOT_SUPPORTED')
  const other = await makeGate()
  const elsewhere = { uuid: other.study.uuid, group_id: world.gate.groupUuid }
  expect((await ask('study/share', other.clinician.sid, elsewhere)).error_type).toBe('NOT_PERMITTED')
})

it('does not nominate images of several patients, nor twice at once', async () => {
  const world = await makeGate()
  await query(`update study set mixed_patients = true where uuid = '${world.study.uuid}'`)
  expect((await world.nominate()).error_type).toBe('NOT_READY')
  await query(`update study set mixed_patients = false where uuid = '${world.study.uuid}'`)
  const second = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
  const both = { pacs_promote_groups: [world.gate.groupUuid, second.groupUuid] }
  await ask('group/set', administrator.sid, { uuid: world.cloud.groupUuid, inbox_config: both })
  const outcomes = await Promise.all([world.nominate(), world.nominate()])
  expect(outcomes).toEqual([done, done])
  expect(await world.nominate({ group_id: second.groupUuid })).toMatchObject({ error_type: 'PENDING' })
  expect((await query(`select from nomination where study_uuid = '${world.study.uuid}'`)).length).toBe(1)
})

it('[PROCESS-17][API-17][NOMINATE-03][LIST-07] rejects: both records tell the reason, and the study may be nominated anew', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  expect(await world.reject(uuid, { reason: '' })).toMatchObject({ error_type: 'MISSING_FIELDS' })
  expect(await world.reject(uuid)).toMatchObject(done)
  const rejected = { state: 'rejected', reason: 'No indication', message: 'Ask again' }
  const given = await world.source()
  expect(given.nomination).toMatchObject(rejected)
  const got = await world.atGate()
  expect(got).toMatchObject({ must_approve: 1, nomination: rejected })
  for (const { customfield_h: values } of [given, got]) {
    expect(values).toMatchObject({
      [fieldOf('is_process_form_rejected')]: '1',
      [fieldOf('process_rejection_reason')]: 'No indication',
    })
  }
  expect(await seen(world)).toEqual({ rejected: 1 })
  expect((await world.send(uuid)).error_type).toBe('STALE')
  expect(await world.reject(uuid, { reason: 'Other' })).toMatchObject(done)
  expect((await world.source()).nomination.reason).toBe('No indication')
  // by hand the exam leaves neither place, and nothing of it is edited at the gate
  const refused = { error_type: 'NOT_NOMINATED' }
  for (const edit of [{ patientid: 'NEW-0' }, { [`customfield-${fieldOf('push_destination')}`]: 'x' }])
    expect(await ask('study/set', world.reviewer.sid, { study_id: uuid, ...edit })).toMatchObject(refused)
  expect(await ask('study/set', world.reviewer.sid, { study_id: uuid, unread: 1 })).toMatchObject(done)
  const pusher = await organisation.addPerson({ role: 'Administrator', groups: [world.gate, world.cloud] })
  const { uuid: to } = await makeDestination({ query }, accountUuid, { title: randomUUID().slice(0, 8) })
  await query(`update study set must_approve = false where uuid = '${uuid}'`)
  for (const one of [uuid, world.study.uuid])
    expect(await ask('study/push', pusher.sid, { uuid: one, destination_id: to })).toMatchObject(refused)
  await query(`update study set must_approve = true where uuid = '${uuid}'`)

  await ask('study/set', world.clinician.sid, { study_id: world.study.uuid, patientid: 'NEW-1' })
  expect(await world.nominate()).toEqual(done)
  expect(await world.atGate()).toMatchObject({ patientid: 'NEW-1', nomination: { state: 'nominated', reason: '' } })
  expect((await world.source()).customfield_h[fieldOf('is_process_form_rejected')]).toBe('')
  expect(await seen(world)).toEqual({ nominations: 1 })
})

it('[PROCESS-17] rejects with a code of IOCM, which both records tell, and so do words that are those of a code', async () => {
  const coded = async (sent: object, reason: string) => {
    const world = await makeGate()
    await world.nominate()
    const { uuid } = await world.atGate()
    const reply = await ask('study/set', world.reviewer.sid, {
      study_id: uuid,
      [`customfield-${fieldOf('is_process_form_rejected')}`]: '1',
      [`customfield-${fieldOf('process_rejection_reason')}`]: reason,
      ...sent,
    })
    if (reply.status !== 'OK') return reply.error_type
    const audit = await query<{ code: string | null }>(`
      select detail ->> 'code' as code from audit
      where action = 'NOMINATE_REJECT' and object_uuid in ('${uuid}', '${world.study.uuid}')`)
    const both = [(await world.source()).nomination, (await world.atGate()).nomination]
    return [both.map((one) => one.reason_code), audit.map((one) => one.code ?? '')]
  }
  const all = (code: string) => [
    [code, code],
    [code, code],
  ]
  expect(await coded({ rejection_code: '113037' }, 'Wrong side marked')).toEqual(all('113037'))
  expect(await coded({}, 'Rejected for Quality Reasons')).toEqual(all('113001'))
  expect(await coded({}, '113038')).toEqual(all('113038'))
  expect(await coded({}, 'No indication')).toEqual(all(''))
  expect(await coded({ rejection_code: '113000' }, 'Of interest')).toBe('INVALID_FIELD')
})

it('[API-16][ENTITY-31][PROCESS-14] sends to the chosen destination with the patient of the order; both places see how far it is', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  const order = { patient_name: 'DOE^JANE ANN', patientid: 'H-7', accession_number: 'ACC-1' }
  expect(await world.send(uuid, order)).toMatchObject(done)
  expect(await world.atGate()).toMatchObject({ ...order, must_approve: 0, nomination: { state: 'queued' } })
  expect(await seen(world)).toEqual({ queued: 1 })
  const given = await world.source()
  // the record that was nominated keeps its own patient
  expect(given).toMatchObject({ patient_name: 'DOE^JANE', nomination: { state: 'queued', destination_name: 'Peer' } })
  expect(given.customfield_h[fieldOf('nomination_push_status')]).toBe('N')
  expect((await world.cancel()).error_type).toBe('PENDING')
  expect((await world.nominate()).error_type).toBe('PENDING')
  await pushIs(uuid, 'S')
  expect((await world.source()).nomination.state).toBe('completed')
  expect((await world.cancel()).error_type).toBe('NOT_PERMITTED')
  expect((await world.nominate()).error_type).toBe('ALREADY_EXISTS')
})

it.each(['H', 'O', 'R'])(
  '[PROCESS-13][PROCESS-14] whoever sends chooses destination and priority, also where access %s to the fields is set',
  async (letter) => {
    const world = await makeGate()
    await world.nominate()
    const { uuid } = await world.atGate()
    const [destination, priority] = [fieldOf('push_destination'), fieldOf('priority')]
    for (const field of [destination, priority])
      expect(await ask('customfield/set', administrator.sid, { uuid: field, field_flag: letter })).toEqual(done)
    try {
      expect(await world.send(uuid, { [`customfield-${priority}`]: 'Priority' })).toMatchObject(done)
      expect(await world.atGate()).toMatchObject({ priority: 1, nomination: { state: 'queued' } })
      // whoever edits and does not send is held to the access
      const staff = await organisation.addPerson({ role: 'Staff', groups: [world.gate] })
      const written = await ask('study/set', staff.sid, { study_id: uuid, [`customfield-${destination}`]: 'x' })
      expect(written.error_type ?? 'OK').toBe(letter === 'R' ? 'OK' : 'NOT_PERMITTED')
    } finally {
      for (const field of [destination, priority])
        await ask('customfield/set', administrator.sid, { uuid: field, field_flag: '' })
    }
  },
)

it('[PROCESS-14] whoever sends chooses a destination, also where the place hides the custom fields of exams', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('namespace', '${world.gate.namespaceUuid}', 'study_field_flags', '{"study_field_customfield_${fieldOf('push_destination')}": "H"}')`)
  expect(await world.send(uuid)).toMatchObject(done)
})

it('[PROCESS-11] a person who sends another-looking patient is on record, with the kinds of the differences and no more', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  const order = { patient_name: 'ROE^RICHARD', patientid: 'H-99' }
  const confirmations = () =>
    query<{ actor_name: string; confirmed: object }>(`select actor_name, detail->'patient_confirmed' as confirmed
      from audit where object_uuid = '${uuid}' and detail ? 'patient_confirmed'`)
  // the tick goes with the edit: a push that is refused afterwards takes nothing off the record
  expect((await world.send(uuid, { ...order, patient_confirmed: 1 }, randomUUID())).error_type).toBe('NOT_FOUND')
  const differs = ['name-different', 'birth-date-unknown', 'sex-unknown', 'mrn-unknown']
  expect(await confirmations()).toEqual([
    { actor_name: world.reviewer.name, confirmed: { verdict: 'different', differs } },
  ])
  // neither without the tick, nor where nothing of the patient changes
  await world.send(uuid, { patient_name: 'DOE^JANE' }, randomUUID())
  await world.send(uuid, { study_description: 'CT', patient_confirmed: 1 }, randomUUID())
  expect(await confirmations()).toHaveLength(1)
})

it('[NOMINATE-08] nominates anew after a push that failed, and sends again to another destination', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid } = await world.atGate()
  await world.send(uuid)
  await pushIs(uuid, 'F')
  expect((await world.source()).nomination.state).toBe('failed')
  expect(await world.send(uuid)).toMatchObject(done)
  await query(`update push set status = 'F' where study_uuid = '${uuid}'`)
  expect(await world.nominate()).toEqual(done)
  const anew = await world.atGate()
  expect([anew.uuid === uuid, anew.nomination.state]).toEqual([false, 'nominated'])
})

it('[NOMINATE-04] tells both ends what the sender corrects while the exam waits, and nominates anew with that', async () => {
  const world = await makeGate()
  const { study, clinician } = world
  await world.nominate()
  const { uuid } = await world.atGate()
  const correct = (name: string) => ask('study/set', clinician.sid, { study_id: study.uuid, patient_name: name })
  const told = async () =>
    [(await world.source()).nomination, (await world.atGate()).nomination].map((one) => one.is_corrected)
  expect(await told()).toEqual([0, 0])
  // once more without a correction changes nothing, and so does what the gatekeeper group corrects for itself
  await ask('study/set', world.reviewer.sid, { study_id: uuid, study_description: 'CT HEAD' })
  expect(await world.nominate()).toEqual(done)
  expect([(await world.atGate()).uuid, await told()]).toEqual([uuid, [0, 0]])
  expect(await correct('DOE^JOAN')).toMatchObject(done)
  expect([(await world.atGate()).patient_name, await told()]).toEqual(['DOE^JANE', [1, 1]])
  expect(await world.nominate()).toEqual(done)
  const anew = await world.atGate()
  expect([anew.uuid === uuid, anew.patient_name, anew.nomination.state]).toEqual([false, 'DOE^JOAN', 'nominated'])
  expect(await told()).toEqual([0, 0])
  expect(await world.listed()).toHaveLength(1)
  // nothing of the former record leaves
  expect((await world.send(uuid)).error_type).toBe('NOT_FOUND')
  // a correction that is taken back is one, too
  await correct('DOE^JANE')
  expect(await told()).toEqual([1, 1])
  await world.nominate()
  expect([(await world.atGate()).patient_name, await told()]).toEqual(['DOE^JANE', [0, 0]])
})

it('is decided once by two reviewers, and not while somebody else holds it or after it changed', async () => {
  const world = await makeGate()
  await world.nominate()
  const { uuid, row_version: version } = await world.atGate()
  const second = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [world.gate] })
  await ask('study/lock', second.sid, { uuid })
  expect((await world.reject(uuid)).error_type).toBe('LOCKED')
  expect((await world.send(uuid)).error_type).toBe('LOCKED')
  await ask('study/unlock', second.sid, { uuid })
  await ask('study/set', second.sid, { study_id: uuid, patientid: 'OTHER' })
  const stale = await ask('study/push/confirm', world.reviewer.sid, { uuid, row_version: version })
  expect(stale.error_type).toBe('STALE')
  const [first, other] = await Promise.all([world.send(uuid), world.reject(uuid)])
  const outcomes = [first, other].map((one) => one.error_type ?? 'OK')
  expect(outcomes.filter((one) => one === 'OK')).toHaveLength(1)
  expect(outcomes).toContain('STALE')
})

it('does not send without a destination, to one that the group may not push to, or of several patients; the study waits as before', async () => {
  const world = await makeGate({ pushable_destinations: [randomUUID()] })
  await world.nominate({})
  const { uuid } = await world.atGate()
  const confirm = () => ask('study/push/confirm', world.reviewer.sid, { uuid })
  expect(await confirm()).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['push_destination'] })
  expect(await world.send(uuid)).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'push_destination' })
  const { uuid: closed } = await makeDestination({ query }, accountUuid, { title: 'CLOSED' })
  await query(`update destination set can_push = false where uuid = '${closed}'`)
  const open = JSON.stringify({ group_designation: 'GATEKEEPER' })
  await query(
    `update setting set value = '${open}' where key = 'inbox_config' and scope_uuid = '${world.gate.namespaceUuid}'`,
  )
  expect((await world.send(uuid, {}, closed)).error_type).toBe('NOT_SUPPORTED')
  await query(`update study set mixed_patients = true where uuid = '${uuid}'`)
  expect((await world.send(uuid)).error_type).toBe('NOT_READY')
  expect(await world.atGate()).toMatchObject({ must_approve: 1, nomination: { state: 'nominated' } })
  expect(await query(`select from study_lock where study_uuid = '${uuid}'`)).toEqual([])
})

it('is not approved or rejected as what waits elsewhere is', async () => {
  const { nominate, atGate, reviewer } = await makeGate()
  await nominate()
  const { uuid } = await atGate()
  for (const path of ['study/approve', 'study/reject']) {
    expect(await ask(path, reviewer.sid, { uuid })).toMatchObject({
      error_type: 'NOT_PERMITTED',
      error_subtype: 'nomination',
    })
  }
})

it('mails those of the gatekeeper group who chose it, and the sender of what is rejected', async () => {
  const world = await makeGate()
  await query(`insert into event_choice (user_uuid, namespace_uuid, event, is_on)
    values ('${world.reviewer.userUuid}', '${world.gate.namespaceUuid}', 'event_share', true)`)
  await world.nominate()
  await world.reject((await world.atGate()).uuid)
  const mails = await query<{ recipient: string; subject: string }>(`select recipient, subject from mail
    where recipient in ('${world.reviewer.email}', '${world.clinician.email}') order by created, uuid`)
  expect(mails).toEqual([
    { recipient: world.reviewer.email, subject: 'An exam was nominated to a group of yours' },
    { recipient: world.clinician.email, subject: 'An exam that you shared was not accepted' },
  ])
})

it.each([
  ['changed by a person', { patientid: 'H-2', patient_name: 'ROE^RICHARD' }],
  ['under another number, as after a merge', { patientid: 'H-2' }],
  ['of another birth date', { patient_birth_date: '19500505' }],
])('[PROCESS-14] an order that is %s while a reviewer writes it to the exam: nothing is sent', async (_how, change) => {
  const { gate, nominate, atGate } = await makeGate({})
  await nominate({})
  const { uuid } = await atGate()
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [gate] })
  const patient = { patient_name: 'DOE^JANE', patientid: 'H-1', patient_birth_date: '19700131', patient_sex: 'F' }
  const sent = { account_id: accountUuid, namespace_id: gate.namespaceUuid, ...patient, accession_number: 'ACC-1' }
  const order = (await ask('order/add', sid, sent)).uuid
  const { uuid: destination } = await makeDestination({ query }, accountUuid, { title: randomUUID().slice(0, 8) })
  const fields = { accession_number: 'MY-OWN', [`customfield-${fieldOf('push_destination')}`]: destination }
  const { row_version } = await ask('study/set', sid, { study_id: uuid, ...patient, ...fields })
  await ask('order/set', sid, { uuid: order, ...change })
  const confirm = () => ask('study/push/confirm', sid, { uuid, order_id: order, row_version })
  expect(await confirm()).toMatchObject({ error_type: 'STALE', error_subtype: 'order_id' })
  expect(await query(`select from push where study_uuid = '${uuid}'`)).toHaveLength(0)
  // as it was when it was compared, it lets the version leave that the change of the exam answered with
  await ask('order/set', sid, { uuid: order, ...patient })
  expect(await confirm()).toMatchObject({ status: 'OK' })
})
