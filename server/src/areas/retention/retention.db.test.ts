import { expect, test } from 'vitest'
import { makeOrganisation, makeStudy, type Organisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { purge } from './purge.job.ts'

const app = await startTestApp()
const { services, call, query } = app
const day = 86_400_000
const done = { status: 'OK' }

/** An organisation with a group, an administrator and exams. */
async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const group = await organisation.addGroup()
  const administrator = await organisation.addPerson({ role: 'Administrator' })
  const { accountUuid } = organisation
  const makeExam = async (patientid: string, deletedDaysAgo?: number, more = '') => {
    const made = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'Doe^Jane' })
    const deleted =
      deletedDaysAgo === undefined
        ? ''
        : `, deleted_at = now() - interval '${deletedDaysAgo} days', deleted_by = '${administrator.userUuid}'`
    await query(`update study set patientid = '${patientid}', issuer = 'HERE', created = now() - interval '90 days' ${deleted} ${more}
      where uuid = '${made.uuid}'`)
    return made
  }
  const ask = asking(organisation, administrator)
  return { organisation, accountUuid, group, administrator, makeExam, ask }
}
const asking =
  ({ accountUuid }: Organisation, { sid }: Person) =>
  async (path: string, sent: object = {}) =>
    (await call(`retention/${path}`, { sid, account_id: accountUuid, ...sent })).body

test('the bin says when each exam goes and what keeps it, and the purge does the same', async () => {
  const { ask, makeExam, accountUuid } = await makePlace()
  const exams = {
    '': await makeExam('P-DUE', 31),
    later: await makeExam('P-LATER', 3),
    hold: await makeExam('P-HELD', 40, ', hold = true'),
    retraction: await makeExam('P-BACK', 40, ', retraction_uuid = gen_random_uuid()'),
    date: await makeExam('P-DATE', 40, ", retain_until = now() + interval '400 days'"),
    patient: await makeExam('p-patient', 40),
    shown: await makeExam('P-SHOWN'),
  }
  expect(await ask('hold', { patientid: 'P-PATIENT', issuer: 'HERE', reason: 'Court' })).toEqual(done)
  const { exams: bin } = await ask('bin')
  const about = new Map(bin.map((one: { uuid: string }) => [one.uuid, one]))
  expect(about.size).toBe(6)
  for (const kept of ['', 'hold', 'retraction', 'date', 'patient'] as const)
    expect(about.get(exams[kept].uuid)).toMatchObject({ kept_by: kept, patient_name: 'Doe^Jane' })
  for (const held of ['hold', 'retraction', 'patient'] as const)
    expect(about.get(exams[held].uuid)).toMatchObject({ due_at: null })
  expect(bin.map(({ due_at: due }: { due_at: string | null }) => due === null)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  expect(await ask('get')).toMatchObject({ restore_days: 30, bin: { due: 1, later: 2, held: 3 } })

  await purge(services, new Date())
  const left = await query<{ uuid: string }>(`select uuid from study where account_uuid = '${accountUuid}'`)
  expect(left.map(({ uuid }) => uuid)).not.toContain(exams[''].uuid)
  expect(left).toHaveLength(6)
  expect((await ask('purged')).exams).toMatchObject([
    {
      study_id: exams[''].uuid,
      study_uid: exams[''].study_uid,
      deleted_by: expect.stringContaining('Ada'),
      reason: '',
    },
  ])
  // the purge takes an exam on the day that the bin tells, and not before
  await query(`update study set hold = false, retraction_uuid = null where account_uuid = '${accountUuid}'`)
  await purge(services, new Date(Date.now() + 26 * day))
  expect((await ask('bin')).exams.map(({ uuid }: { uuid: string }) => uuid).toSorted()).toEqual(
    [exams.later.uuid, exams.date.uuid, exams.patient.uuid].toSorted(),
  )
  await purge(services, new Date(Date.now() + 28 * day))
  expect((await ask('get')).bin).toEqual({ due: 0, later: 1, held: 1 })
})

test('a rule is tried before it is set: it tells what it keeps and what it lets go, and goes on record', async () => {
  const { ask, makeExam, group, accountUuid } = await makePlace()
  await makeExam('R-1', 40)
  const namespace = { namespace_id: group.namespaceUuid }
  expect(await ask('set', { retention_days: '365', check: 1 })).toMatchObject({ kept: 1, released: 0 })
  expect(await ask('get')).toMatchObject({ retention_days: null, bin: { due: 1 } })
  expect(await ask('set', { retention_days: ' 0365 ' })).toMatchObject({ kept: 1, released: 0 })
  expect((await ask('bin')).exams).toMatchObject([{ kept_by: 'rule', due_at: expect.any(String) }])
  expect(await ask('set', { ...namespace, retention_days: '0' })).toMatchObject({ kept: 0, released: 1 })
  const told = await ask('get')
  expect(told).toMatchObject({ retention_days: 365, bin: { due: 1 } })
  expect(told.places.find((one: { namespace_id: string }) => one.namespace_id === group.namespaceUuid)).toMatchObject({
    retention_days: 0,
    kind: 'group',
  })
  expect(await ask('set', { ...namespace, retention_days: '' })).toMatchObject({ kept: 1, released: 0 })
  expect(
    await query(`select detail -> 'retention_days' as days from audit
    where account_uuid = '${accountUuid}' and detail ? 'retention_days' order by id`),
  ).toEqual([{ days: ['', '365'] }, { days: ['', '0'] }, { days: ['0', ''] }])
  for (const retention_days of ['-1', 'ten', '1.5', '36526'])
    expect(await ask('set', { retention_days })).toMatchObject({ error_type: 'INVALID_INTEGER' })
})

test('a rule of a place keeps the exams in its bin also after the place is deleted, and can be taken back', async () => {
  const { ask, makeExam, group, administrator, accountUuid } = await makePlace()
  const kept = await makeExam('G-1', 40)
  const namespace = { namespace_id: group.namespaceUuid }
  expect(await ask('set', { ...namespace, retention_days: '365' })).toMatchObject({ kept: 1 })
  const { body } = await call('group/delete', { sid: administrator.sid, uuid: group.groupUuid })
  expect(body).toMatchObject(done)
  expect((await ask('bin')).exams).toMatchObject([{ kept_by: 'rule' }])
  await purge(services, new Date())
  expect(await query(`select uuid from study where account_uuid = '${accountUuid}'`)).toEqual([{ uuid: kept.uuid }])
  const warnsOfChange = async () =>
    (await ask('get')).places.some((one: { namespace_id: string }) => one.namespace_id === group.namespaceUuid)
  expect(await warnsOfChange()).toBe(true)
  expect(await ask('set', { ...namespace, retention_days: '' })).toMatchObject({ released: 1 })
  await purge(services, new Date())
  expect(await query(`select uuid from study where account_uuid = '${accountUuid}'`)).toEqual([])
  expect(await warnsOfChange()).toBe(false)
})

test('a patient is found by the number, held and let go, and so is one exam; who did it and why is told', async () => {
  const { ask, makeExam, administrator, accountUuid } = await makePlace()
  const [one, other] = [await makeExam('H-1'), await makeExam(' h\u20111')]
  const { patients } = await ask('patient', { patientid: 'h-1' })
  expect(patients).toMatchObject([{ issuer: 'HERE', is_held: 0, exams: [{ is_held: 0 }, { is_held: 0 }] }])
  expect(await ask('hold', { patientid: 'H-1', issuer: 'HERE', reason: 'File 12/26' })).toEqual(done)
  expect(await ask('hold', { study_id: one.uuid, reason: 'Teaching' })).toEqual(done)
  const kept = (await ask('kept', { sort_by: 'kind-asc' })).kept
  expect(kept).toMatchObject([
    { kind: 'patient', reason: 'File 12/26', by_name: administrator.name, uuid: '', since: expect.any(String) },
    { kind: 'study', reason: 'Teaching', by_name: administrator.name, uuid: one.uuid, until: null },
  ])
  expect((await ask('patient', { patientid: 'H-1' })).patients[0]).toMatchObject({ is_held: 1 })
  expect(await ask('release', { patientid: 'H-1', issuer: 'HERE', reason: 'Closed' })).toEqual(done)
  expect(await ask('release', { study_id: one.uuid, reason: 'Over' })).toEqual(done)
  expect((await ask('kept')).kept).toEqual([])
  // a hold that is not there is not ended, and goes on record as no end
  for (const gone of [{ patientid: 'H-1', issuer: 'HERE' }, { study_id: one.uuid }])
    expect(await ask('release', { ...gone, reason: 'Closed' })).toMatchObject({ error_type: 'NOT_FOUND' })
  const acts = await query<{ action: string }>(
    `select action from audit where account_uuid = '${accountUuid}' and (action like 'HOLD%' or action = 'ACCESS_REPORT')
      order by id`,
  )
  expect(acts.map(({ action }) => action)).toEqual([
    'ACCESS_REPORT',
    'HOLD',
    'HOLD',
    'ACCESS_REPORT',
    'HOLD_END',
    'HOLD_END',
  ])
  for (const wrong of [{}, { study_id: other.uuid, patientid: 'H-1' }])
    expect(await ask('hold', { ...wrong, reason: 'x' })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  expect(await ask('hold', { patientid: 'H-1', issuer: '', reason: 'x' })).toMatchObject({ error_type: 'NOT_FOUND' })
  for (const reason of [' ', 'x'.repeat(1001)])
    expect(await ask('hold', { study_id: other.uuid, reason })).toMatchObject({ error_type: 'INVALID_VALUE' })
})

test('a date keeps an exam through its day, and is taken back', async () => {
  const { ask, makeExam, administrator } = await makePlace()
  const exam = await makeExam('D-1', 40)
  expect(await ask('date', { study_id: exam.uuid, retain_until: '2099-12-31', reason: 'Study 7' })).toEqual(done)
  // a slip of the pen, a day that is over for instance, takes no date back
  const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10)
  for (const retain_until of ['2099-02-29', '2400-01-01', yesterday])
    expect(await ask('date', { study_id: exam.uuid, retain_until, reason: 'x' })).toMatchObject({
      error_type: 'INVALID_VALUE',
      error_subtype: 'retain_until',
    })
  expect((await ask('kept')).kept).toMatchObject([
    {
      kind: 'date',
      uuid: exam.uuid,
      until: '2099-12-31',
      reason: 'Study 7',
      by_name: administrator.name,
      is_deleted: 1,
    },
  ])
  expect((await ask('bin')).exams).toMatchObject([
    { kept_by: 'date', retain_until: '2099-12-31', due_at: '2100-01-01 00:00:00.000000+00' },
  ])
  expect((await ask('patient', { patientid: 'D-1' })).patients[0].exams).toMatchObject([{ retain_until: '2099-12-31' }])
  expect(await ask('date', { study_id: exam.uuid, retain_until: '', reason: 'Over' })).toEqual(done)
  expect((await ask('bin')).exams).toMatchObject([{ kept_by: '' }])
})

test('nothing of another organisation is told, held, dated or let go', async () => {
  const [here, there] = [await makePlace(), await makePlace()]
  const foreign = await there.makeExam('F-1', 40)
  expect((await here.ask('patient', { patientid: 'F-1' })).patients).toEqual([])
  for (const [path, sent] of [
    ['hold', { study_id: foreign.uuid, reason: 'x' }],
    ['hold', { patientid: 'F-1', issuer: 'HERE', reason: 'x' }],
    ['release', { study_id: foreign.uuid, reason: 'x' }],
    ['date', { study_id: foreign.uuid, retain_until: '2099-12-31', reason: 'x' }],
    ['set', { namespace_id: there.group.namespaceUuid, retention_days: '9' }],
  ] as const)
    expect(await here.ask(path, sent)).toMatchObject({ error_type: 'NOT_FOUND' })
  for (const list of ['bin', 'purged']) expect((await here.ask(list)).exams).toEqual([])
  expect(await there.ask('get')).toMatchObject({ bin: { due: 1 } })
})

test('a role that does not see names of patients is told none, and one that may look changes nothing', async () => {
  const { organisation, ask, makeExam } = await makePlace()
  await makeExam('N-1', 40)
  const role = organisation.roles.get('Administrator')
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('role', '${role}', 'study_field_flags', '{"study_field_patient_name":"H"}')`)
  expect((await ask('bin')).exams).toMatchObject([{ patient_name: '', patientid: 'N-1' }])
  await query(`delete from setting where scope_uuid = '${role}' and key = 'study_field_flags'`)
  await query(`update role set permissions = '{purge_view}' where uuid = '${role}'`)
  expect((await ask('bin')).exams).toHaveLength(1)
  expect(await ask('set', { retention_days: '1' })).toMatchObject({ error_type: 'NOT_PERMITTED' })
})
