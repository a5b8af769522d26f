import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { writeAudit, writeStudyAudit } from './audit.sql.ts'
import { checkAuditActs } from './check-audit.job.ts'
import { sealAudit } from './seal-audit.job.ts'

const { services, call, query } = await startTestApp()
const { db } = services
const north = await makeOrganisation(db, { name: 'North' })
const south = await makeOrganisation(db, { name: 'South' })
const { accountUuid } = north
const group = await north.addGroup({ name: 'Neuro' })
const administrator = await north.addPerson({ role: 'Administrator' })
const clinician = await north.addPerson({ role: 'Clinician', groups: [group] })
const stranger = await south.addPerson({ role: 'Administrator' })
const { sid } = administrator

type Event = { action: string; who: string; what: string; study: { patientid: string } | null; object_name: string }
const ask = async (path: string, sent: object = {}, as = sid) =>
  (await call(path, { sid: as, account_id: accountUuid, ...sent })).body
const events = async (sent: object = {}) => (await ask('audit/account', sent)).events as Event[]
const actions = async (sent: object) => (await events(sent)).map((one) => one.action)

/** A study of the group whose patient has this MRN. */
async function studyOf(patientid: string, given: { name?: string; issuer?: string; accession?: string } = {}) {
  const made = await makeStudy(db, { ...group, accountUuid }, { patient_name: given.name ?? 'DOE^JANE' })
  await query(`update study set patientid = '${patientid}', issuer = '${given.issuer ?? ''}',
    accession_number = '${given.accession ?? ''}' where uuid = '${made.uuid}'`)
  return { uuid: made.uuid, account_uuid: accountUuid, phi_namespace: group.namespaceUuid }
}
const asClinician = { userUuid: clinician.userUuid, name: clinician.name, clientAddress: '192.0.2.9' }

it('tells who did what to what, and names the thing and the exam', async () => {
  const study = await studyOf('A-1', { name: 'ROE^RICHARD' })
  await writeStudyAudit(db, asClinician, study, 'STUDY_VIEW')
  await writeAudit(db, {
    accountUuid,
    caller: asClinician,
    action: 'DISABLE',
    type: 'User',
    objectUuid: administrator.userUuid,
  })
  const [disabled, viewed] = await events()
  expect(disabled).toMatchObject({ action: 'DISABLE', type: 'User', object_name: administrator.name, study: null })
  expect(viewed).toMatchObject({
    action: 'STUDY_VIEW',
    who: clinician.name,
    actor_kind: 'user',
    actor_id: clinician.userUuid,
    what: study.uuid,
    client_address: '192.0.2.9',
    study: { uuid: study.uuid, patient_name: 'ROE^RICHARD', patientid: 'A-1' },
  })
})

it('names what was renamed by its new name', async () => {
  const detail = { name: ['Before', 'Ward 3'] }
  await writeAudit(db, { accountUuid, caller: asClinician, action: 'EDIT', type: 'Customfield', detail })
  const [renamed] = await events()
  expect(renamed).toMatchObject({ action: 'EDIT', type: 'Customfield', object_name: 'Ward 3' })
})

it('finds who did something by whatever the page calls them: name, supporter or AE title', async () => {
  const study = await studyOf('W-1')
  const proxy = { userUuid: administrator.userUuid, name: 'Sam Support' }
  await writeStudyAudit(db, asClinician, study, 'STUDY_VIEW')
  await writeStudyAudit(db, { ...asClinician, kind: 'user', proxy } as never, study, 'STUDY_DOWNLOAD')
  await writeStudyAudit(db, undefined, study, 'STUDY_RETRIEVE', { calling_ae: 'WORKSTATION' })
  await writeStudyAudit(db, asClinician, study, 'DICOM_QUERY', { calling_ae: 'WORKSTATION' })
  const found = async (condition: string, value: unknown) =>
    (await actions({ 'filter.study_id.equals': study.uuid, [`filter.who.${condition}`]: value })).toSorted()
  expect(await found('like', '%support%')).toEqual(['STUDY_DOWNLOAD'])
  expect(await found('equals', 'sam support')).toEqual(['STUDY_DOWNLOAD'])
  // of a row that has a name the page shows no title
  expect(await found('like', '%workst%')).toEqual(['STUDY_RETRIEVE'])
  expect(await found('in', ['workstation', 'Sam Support'])).toEqual(['STUDY_DOWNLOAD', 'STUDY_RETRIEVE'])
  expect(await found('equals', clinician.name)).toEqual(['DICOM_QUERY', 'STUDY_DOWNLOAD', 'STUDY_VIEW'])
  expect(await found('not_equals', clinician.name)).toEqual(['STUDY_RETRIEVE'])
})

it('is narrowed by person, act, kind, time and exam', async () => {
  const study = await studyOf('B-2', { name: 'MÜLLER^ANNA', accession: 'ACC-77' })
  await writeStudyAudit(db, asClinician, study, 'STUDY_DOWNLOAD')
  const ofExam = { 'filter.study_id.equals': study.uuid }
  expect(await actions(ofExam)).toEqual(['STUDY_DOWNLOAD'])
  expect(await actions({ ...ofExam, 'filter.user_id.equals': administrator.userUuid })).toEqual([])
  expect(await actions({ ...ofExam, 'filter.user_id.equals': clinician.userUuid })).toEqual(['STUDY_DOWNLOAD'])
  expect(await actions({ ...ofExam, 'filter.who.like': '%person%' })).toEqual(['STUDY_DOWNLOAD'])
  expect(await actions({ ...ofExam, 'filter.who.like': '%nobody%' })).toEqual([])
  expect(await actions({ ...ofExam, 'filter.action.in': ['EDIT'] })).toEqual([])
  expect(await actions({ ...ofExam, 'filter.when.lt': '2020-01-01' })).toEqual([])
  for (const text of ['muller anna', 'b-2', 'ACC-77'])
    expect(await actions({ 'filter.study.like': `%${text}%` })).toEqual(['STUDY_DOWNLOAD'])
  expect(await actions({ 'filter.study.like': '%ACC-7%' })).toEqual([])
})

it('counts its rows on the last page, and elsewhere where that is asked for', async () => {
  const total = (await events()).length
  const first = { 'page.rows': 1 }
  expect((await ask('audit/account', first)).page).toEqual({ more: 1, rows: 1, number: 1 })
  expect((await ask('audit/account', { ...first, 'page.total': 1 })).page.total).toBe(total)
  expect((await ask('audit/account', { ...first, 'page.number': total })).page).toMatchObject({ more: 0, total })
})

it('lists what happened to the exams of one patient, and puts the report itself on record', async () => {
  const [own, other, elsewhere] = [
    await studyOf('00123', { name: 'CARE^PAT', issuer: 'NORTH' }),
    await studyOf('00123', { name: 'ELSE^SOME', issuer: 'SOUTH' }),
    await studyOf('00124'),
  ]
  for (const one of [own, other, elsewhere]) await writeStudyAudit(db, asClinician, one, 'STUDY_VIEW')
  await query(`update study set deleted_at = now() where uuid = '${own.uuid}'`)
  const report = await ask('audit/patient', { patientid: ' 00123 ' })
  expect(report.patients).toEqual([
    { issuer: 'NORTH', patient_name: 'CARE^PAT', patient_birth_date: '', study_count: 1 },
    { issuer: 'SOUTH', patient_name: 'ELSE^SOME', patient_birth_date: '', study_count: 1 },
  ])
  expect(report.events.map((one: Event) => one.what)).toEqual([other.uuid, own.uuid])
  const ofOne = await ask('audit/patient', { patientid: '00123', issuer: 'NORTH' })
  expect(ofOne.events.map((one: Event) => one.what)).toEqual([own.uuid])
  const [told] = await events({ 'filter.action.equals': 'ACCESS_REPORT' })
  expect(told).toMatchObject({ who: administrator.name, type: 'Account', detail: { patientid: '00123', studies: 2 } })
  expect(
    (await call('audit/patient', { sid, account_id: accountUuid, patientid: '1' }, { method: 'GET' })).status,
  ).toBe(405)
})

it('finds exams by an MRN that they had before a correction, and says under whom they stand now', async () => {
  const administered = await north.addPerson({ role: 'Administrator', groups: [group] })
  const corrected = await studyOf('OLD-7', { name: 'WRONG^NUMBER', issuer: 'NORTH' })
  const stays = await studyOf('OLD-7', { name: 'RIGHT^NUMBER', issuer: 'NORTH' })
  const set = await call('study/set', { sid: administered.sid, uuid: corrected.uuid, patientid: 'NEW-7' })
  expect(set.body.status).toBe('OK')
  for (const one of [corrected, stays]) await writeStudyAudit(db, asClinician, one, 'STUDY_VIEW')
  const viewed = { 'filter.action.equals': 'STUDY_VIEW' }
  const report = await ask('audit/patient', { patientid: 'old-7', ...viewed })
  expect(report.patients).toMatchObject([{ patient_name: 'RIGHT^NUMBER', study_count: 1 }])
  expect(report.earlier).toMatchObject([{ patientid: 'NEW-7', patient_name: 'WRONG^NUMBER', study_count: 1 }])
  expect(report.events.map((one: Event) => one.what)).toEqual([stays.uuid, corrected.uuid])
  const now = await ask('audit/patient', { patientid: 'NEW-7', ...viewed })
  expect(now.earlier).toEqual([])
  expect(now.events.map((one: Event) => one.what)).toEqual([corrected.uuid])
  const elsewhere = await ask('audit/patient', { patientid: 'OLD-7', issuer: 'SOUTH', ...viewed })
  expect(elsewhere).toMatchObject({ earlier: [], events: [] })
})

it('is no business of people who do not administer the account, nor of other accounts', async () => {
  for (const path of ['audit/account', 'audit/patient', 'audit/check', 'audit/check/get']) {
    const sent = path === 'audit/patient' ? { patientid: '00123' } : {}
    expect((await ask(path, sent, clinician.sid)).error_type).toBe('NOT_PERMITTED')
    expect((await ask(path, sent, stranger.sid)).error_type).toBe('NOT_FOUND')
  }
  const seen = (await call('audit/account', { sid: stranger.sid, account_id: south.accountUuid })).body.events
  expect(seen.filter((one: Event) => one.who === clinician.name)).toEqual([])
})

it('tells neither names nor numbers that the role does not see, nor finds by them', async () => {
  const study = await studyOf('H-1', { name: 'HIDDEN^NAME' })
  await writeStudyAudit(db, asClinician, study, 'EDIT', {
    patient_name: ['OLD^NAME', 'HIDDEN^NAME'],
    modality: ['', 'CT'],
  })
  const role = north.roles.get('Administrator')
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('role', '${role}', 'study_field_flags', '{"study_field_patient_name": "H"}')`)
  const [seen] = await events({ 'filter.study_id.equals': study.uuid })
  expect(seen).toMatchObject({ study: { patient_name: '', patientid: 'H-1' }, detail: { modality: ['', 'CT'] } })
  expect(JSON.stringify(seen)).not.toContain('NAME')
  expect((await ask('audit/account', { 'filter.study.like': '%hidden%' })).error_type).toBe('NOT_PERMITTED')
  await query(`delete from setting where scope_uuid = '${role}'`)
})

it('is held against its seals, of this account alone, and the check is on record', async () => {
  await writeAudit(db, { accountUuid: south.accountUuid, caller: undefined, action: 'EDIT', type: 'Account' })
  await sealAudit(services, new Date())
  await query(`update audit set actor_name = 'Else' where account_uuid = '${south.accountUuid}'`)
  const checked = async () => {
    expect((await ask('audit/check')).state).toBe('running')
    // asked again meanwhile, the same check goes on
    expect((await ask('audit/check')).state).toBe('running')
    const work = await query<{ payload: { checkUuid: string; accountUuid: string } }>(
      `delete from work where job = 'check-audit' returning payload`,
    )
    expect(work).toHaveLength(1)
    for (const { payload } of work) {
      await checkAuditActs.run(services, payload, { work: '', signal: new AbortController().signal })
    }
    return ask('audit/check/get')
  }
  expect(await ask('audit/check/get')).toMatchObject({ state: 'none', who: '' })
  const whole = await checked()
  expect(whole).toMatchObject({ state: 'done', who: administrator.name, fault_count: 0, faults: [], seal_number: 1 })
  expect(whole.rows_total).toBeGreaterThan(0)
  expect(whole.seal_digest).toMatch(/^[0-9a-f]{64}$/)
  const [changed] = await query<{ id: number }>(
    `update audit set actor_name = 'Else' where id = (select min(id) from audit where account_uuid = '${accountUuid}') returning id`,
  )
  expect(await checked()).toMatchObject({
    fault_count: 1,
    faults: [{ kind: 'audit row changed', what: `row ${changed?.id} of seal 1` }],
  })
  expect((await events({ 'filter.action.equals': 'AUDIT_CHECK' })).length).toBe(2)
})

it('says that a check was given up, and begins another when it is asked to', async () => {
  const begun = async () => {
    await ask('audit/check')
    const [work] = await query<{ payload: { checkUuid: string; accountUuid: string } }>(
      `delete from work where job = 'check-audit' returning payload`,
    )
    return work?.payload ?? { checkUuid: '', accountUuid: '' }
  }
  const first = await begun()
  const fault = { error: 'CANCELLED', message: '' }
  await db.transaction().execute((tx) => checkAuditActs.giveUp?.(tx, first, '', fault) ?? Promise.resolve(undefined))
  expect((await ask('audit/check/get')).state).toBe('failed')
  const second = await begun()
  // a run of the one that was given up ends nothing of the other
  const run = { work: '', signal: new AbortController().signal }
  await checkAuditActs.run(services, first, run)
  expect((await ask('audit/check/get')).state).toBe('running')
  await expect(checkAuditActs.run(services, second, { ...run, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  await checkAuditActs.run(services, second, run)
  expect((await ask('audit/check/get')).state).toBe('done')
})
