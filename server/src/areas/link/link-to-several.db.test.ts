import { maxShownStudies } from '@hilum/contract/limits'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeOrganisation, makeStudy as addStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const [group, other] = [await organisation.addGroup(), await organisation.addGroup()]
const staff = await organisation.addPerson({ role: 'Administrator', groups: [group, other] })
const stranger = await makeOrganisation(services.db)

async function makeStudy(place = group, birthDate = '19710203') {
  const target = await makeDoorTarget(origin, staff.sid, place.namespaceUuid, newUid())
  const [row] = await query<{ uuid: string }>(`
    update study set patient_birth_date = '${birthDate}' where study_uid = '${target.study}' returning uuid`)
  return { ...target, uuid: row?.uuid ?? '' }
}
const [first, second, third] = [await makeStudy(), await makeStudy(), await makeStudy()]
const add = async (more: Record<string, unknown>) =>
  (await call('link/add', { sid: staff.sid, action: 'STUDY_VIEW', study_id: first.uuid, ...more })).body
const openLink = async (url: string, password?: string) =>
  (await call('link/session', { token: url.split('/link/')[1], ...(password ? { password } : {}) })).body
const shownBy = async (sid: string): Promise<string[]> =>
  (await call('link/studies', { sid })).body.studies.map((one: { uuid: string }) => one.uuid)
const seeDoor = async (sid: string, study: typeof first) => {
  const url = `/api/v3/storage/study/${study.namespace}/${study.study}/schema`
  return (await askDoor(origin, { method: 'GET', url, query: {} }, sid)).statusCode
}

test('[API-42] one link shows several studies of a place and no other, and stands at each of them', async () => {
  const made = await add({ study_ids: `${second.uuid}, ${first.uuid}` })
  const opened = await openLink(made.url)
  expect(opened).toMatchObject({ status: 'OK', study_count: 2 })
  expect((await shownBy(opened.sid)).toSorted()).toEqual([first.uuid, second.uuid].toSorted())
  expect([await seeDoor(opened.sid, second), await seeDoor(opened.sid, third)]).toEqual([200, 403])
  for (const { uuid } of [first, second]) {
    const { links } = (await call('link/list', { sid: staff.sid, study_id: uuid })).body
    expect(links).toMatchObject([{ uuid: made.uuid, study_count: 2 }])
    expect(
      await query(`select 1 from audit where action = 'CREATE' and object_uuid = '${uuid}'
      and detail->>'link' = '${made.uuid}'`),
    ).toHaveLength(1)
  }
  const outside = (await call('outside/list', { sid: staff.sid, account_id: organisation.accountUuid })).body
  expect(JSON.stringify(outside).split(made.uuid)).toHaveLength(2)
})

test('a study of the link that is deleted is gone from it, and the link is changed and ended by those left', async () => {
  const gone = await makeStudy()
  const made = await add({ study_ids: gone.uuid })
  const { sid } = await openLink(made.url)
  expect((await call('study/delete', { sid: staff.sid, uuid: gone.uuid })).body.status).toBe('OK')
  expect(await shownBy(sid)).toEqual([first.uuid])
  expect((await call('link/set', { sid: staff.sid, uuid: made.uuid, minutes_left: 60 })).body.status).toBe('OK')
  expect((await call('link/delete', { sid: staff.sid, uuid: made.uuid })).body.status).toBe('OK')
  expect((await call('link/studies', { sid })).body.error_type).toBe('EXPIRED')
})

test('no link reaches into another place, another organisation or beyond the bound', async () => {
  const elsewhere = await makeStudy(other)
  expect(await add({ study_ids: elsewhere.uuid })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'study_ids',
  })
  const foreignGroup = await stranger.addGroup()
  const foreigner = await stranger.addPerson({ role: 'Administrator', groups: [foreignGroup] })
  const target = await makeDoorTarget(origin, foreigner.sid, foreignGroup.namespaceUuid, newUid())
  const [foreign] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
  expect(await add({ study_ids: foreign?.uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await add({ study_ids: 'all' })).toMatchObject({ error_type: 'INVALID_FIELD' })
  const many = Array.from({ length: maxShownStudies }, () => crypto.randomUUID()).join(',')
  expect(await add({ study_ids: many })).toMatchObject({ error_type: 'INVALID_FIELD' })
  const request = await call('link/add', {
    sid: staff.sid,
    action: 'STUDY_UPLOAD',
    namespace_id: group.namespaceUuid,
    study_ids: first.uuid,
  })
  expect(request.body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'study_ids' })
})

test('the date of birth of one patient does not open the exams of another', async () => {
  const strange = await makeStudy(group, '19800101')
  expect(await add({ study_ids: strange.uuid, password_is_dob: 1 })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'password_is_dob',
  })
  const made = await add({ study_ids: second.uuid, password_is_dob: 1 })
  expect(await openLink(made.url, '1980-01-01')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await openLink(made.url, '1971-02-03')).toMatchObject({ status: 'OK' })
})

test('a link sent by e-mail gives the download where the sender says so and may download', async () => {
  const send = (more: Record<string, unknown>, sid = staff.sid) =>
    call('study/share', { sid, uuid: third.uuid, ...more })
  const { body } = await send({ email: 'doctor@clinic.example', download: 1, expires: 60 })
  const [uuid] = body.user_invite_share_id
  expect((await call('link/get', { sid: staff.sid, uuid })).body.download).toBe(1)
  const group_id = other.groupUuid
  expect((await send({ group_id, download: 1 })).body).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
})

test('[API-42] include_priors shows no exam that was corrected to another patient, or deleted, at that moment', async () => {
  const patient = `MOMENT${newUid().slice(-8)}`
  const studies = [await makeStudy(), await makeStudy(), await makeStudy(), await makeStudy()]
  for (const [at, { uuid }] of studies.entries())
    await query(`update study set patient_name = 'Moment^Ada', search = 'moment^ada', patientid = '${patient}',
      study_date = '2026030${9 - at}' where uuid = '${uuid}'`)
  const [present, corrected, deleted, earlier] = studies
  // both happen after the exams were listed and before they are locked: whoever makes the link waits for them
  const isAnybodyLocked = () =>
    query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  let making: ReturnType<typeof add> | undefined
  await services.db.transaction().execute(async (tx) => {
    await sql`update study set patientid = 'SOMEBODY-ELSE' where uuid = ${corrected?.uuid}`.execute(tx)
    await sql`update study set deleted_at = now() where uuid = ${deleted?.uuid}`.execute(tx)
    making = add({ study_id: present?.uuid, include_priors: 1 })
    await expect.poll(isAnybodyLocked, { timeout: 20_000 }).toHaveLength(1)
  })
  const made = await making
  expect(made).toMatchObject({ status: 'OK', study_count: 2 })
  const { sid } = await openLink(made.url)
  expect((await shownBy(sid)).toSorted()).toEqual([present?.uuid, earlier?.uuid].toSorted())
})

test('[API-42] include_priors shows the earlier exams of the same patient there, as they are then, and no others', async () => {
  const patient = { patientid: `PRIOR${newUid().slice(-8)}`, name: 'Prior^Anna' }
  const studyOf = async (date: string, more: { place?: typeof group; birthDate?: string; id?: string } = {}) => {
    const study = await makeStudy(more.place, more.birthDate)
    await query(`update study set patient_name = '${patient.name}', search = 'prior^anna', patient_sex = 'F',
      patientid = '${more.id ?? patient.patientid}', study_date = '${date}' where uuid = '${study.uuid}'`)
    return study
  }
  const present = await studyOf('20260301')
  const earlier = [await studyOf('20250301'), await studyOf('20240301')]
  const left = [
    await studyOf('20260401'),
    await studyOf('20250401', { place: other }),
    await studyOf('20250501', { birthDate: '19550101', id: 'SOMEBODY-ELSE' }),
    await studyOf('20250601'),
    // nobody looked at these: their images name somebody else as well, or wait for approval
    await studyOf('20250701'),
    await studyOf('20250801'),
  ]
  await query(`update study set is_frozen = true where uuid = '${left[3]?.uuid}'`)
  await query(`update study set mixed_patients = true where uuid = '${left[4]?.uuid}'`)
  await query(`update study set must_approve = true where uuid = '${left[5]?.uuid}'`)
  const before = (await call('link/priors', { sid: staff.sid, study_id: present.uuid })).body
  expect(before.priors.map((one: { uuid: string; withheld: string }) => [one.uuid, one.withheld])).toEqual([
    [left[5]?.uuid, 'awaits_approval'],
    [left[4]?.uuid, 'mixed'],
    [left[3]?.uuid, 'frozen'],
    ...earlier.map(({ uuid }) => [uuid, '']),
  ])
  const made = await add({ study_id: present.uuid, include_priors: 1 })
  expect(made).toMatchObject({ status: 'OK', study_count: 3, priors_left_out: 3 })
  // sent afterwards
  await studyOf('20230301')
  const { sid } = await openLink(made.url)
  expect((await shownBy(sid)).toSorted()).toEqual([present, ...earlier].map(({ uuid }) => uuid).toSorted())
  for (const one of left) expect(await seeDoor(sid, one)).toBe(403)
  const asked = { namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD', include_priors: 1 }
  expect((await call('link/add', { sid: staff.sid, ...asked })).body).toMatchObject({ error_subtype: 'include_priors' })
})

test('[API-42] more earlier exams than a link shows are counted, before and afterwards, and the newest are shown', async () => {
  const patient = `MANY${newUid().slice(-8)}`
  const present = await makeStudy()
  const set = `patient_name = 'Many^Mia', search = 'many^mia', patientid = '${patient}', patient_birth_date = '19710203'`
  await query(`update study set ${set}, study_date = '20260301' where uuid = '${present.uuid}'`)
  const more = maxShownStudies + 1
  const at = { ...group, accountUuid: organisation.accountUuid }
  for (let number = 1; number <= more; number++) {
    const { uuid } = await addStudy(services.db, at, { patient_name: 'Many^Mia' })
    await query(`update study set ${set}, study_date = '${20200000 + 100 * (1 + (number % 12)) + 1 + Math.floor(number / 12)}'
      where uuid = '${uuid}'`)
  }
  const { priors } = (await call('link/priors', { sid: staff.sid, study_id: present.uuid })).body
  const withheld = priors.filter((one: { withheld: string }) => one.withheld === 'too_many')
  expect([priors.length, withheld.length]).toEqual([more, more - (maxShownStudies - 1)])
  const made = await add({ study_id: present.uuid, include_priors: 1 })
  expect(made).toMatchObject({ status: 'OK', study_count: maxShownStudies, priors_left_out: withheld.length })
  const { sid } = await openLink(made.url)
  const shown = new Set(await shownBy(sid))
  expect(withheld.some(({ uuid }: { uuid: string }) => shown.has(uuid))).toBe(false)
})

test('no link shows a copy without names beside an exam or another copy that tells whose it is', async () => {
  const [source, mate] = [await makeStudy(), await makeStudy()]
  const copyFor = async (recipient: string, of: typeof source) => {
    const copy = await makeStudy()
    await query(`insert into nameless_copy (uuid, phi_namespace, study_uuid, account_uuid, study_uid, copy_study_uid, recipient,
        pseudonym, days, dates, texts, pixels_seen, digest, user_uuid, state)
      values (gen_random_uuid(), '${group.namespaceUuid}', '${of.uuid}', '${organisation.accountUuid}', '${of.study}',
        '${copy.study}', '${recipient}', 'P1', 0, 'REMOVED', '{}', false, '', '${staff.userUuid}', 'made')`)
    return copy
  }
  const [copy, mates, others] = [
    await copyFor('Registry', source),
    await copyFor('Registry', mate),
    await copyFor('Trial', source),
  ]
  const refused = { error_type: 'NOT_PERMITTED', error_subtype: 'names' }
  for (const [one, beside] of [
    [copy, source],
    [source, copy],
    [copy, mate],
    [copy, others],
  ] as const)
    expect(await add({ study_id: one.uuid, study_ids: beside.uuid })).toMatchObject(refused)
  expect(await add({ study_id: copy.uuid, study_ids: mates.uuid })).toMatchObject({ status: 'OK', study_count: 2 })
  expect(await query(`select from link_study where study_uuid in ('${source.uuid}', '${others.uuid}')`)).toEqual([])
  // earlier exams that nobody named are left out
  await query(`update study set patient_name = 'P1', patientid = 'P1', study_date = '20200101'
    where uuid in ('${copy.uuid}', '${mates.uuid}', '${others.uuid}', '${third.uuid}')`)
  const shown = await add({ study_id: copy.uuid, include_priors: 1 })
  expect(shown).toMatchObject({ status: 'OK', study_count: 2, priors_left_out: 2 })
  expect((await shownBy((await openLink(shown.url)).sid)).toSorted()).toEqual([copy.uuid, mates.uuid].toSorted())
})

test('a date of birth opens nothing once an exam of the link was corrected to another patient, nor what was open by it', async () => {
  const corrected = await makeStudy()
  const made = await add({ study_ids: corrected.uuid, password_is_dob: 1 })
  const opened = await openLink(made.url, '1971-02-03')
  expect((await shownBy(opened.sid)).toSorted()).toEqual([first.uuid, corrected.uuid].toSorted())
  const other = { patient_name: 'ROE^RICHARD', patientid: 'OTHER-1', patient_birth_date: '19501112' }
  expect((await call('study/set', { sid: staff.sid, uuid: corrected.uuid, ...other })).body.status).toBe('OK')
  for (const typed of ['1971-02-03', '1950-11-12'])
    expect(await openLink(made.url, typed)).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect((await call('link/studies', { sid: opened.sid })).body.studies ?? []).toEqual([])
  expect([await seeDoor(opened.sid, first), await seeDoor(opened.sid, corrected)]).toEqual([403, 403])
  // one that is not shown any more gives no key to the others
  expect((await call('study/delete', { sid: staff.sid, uuid: corrected.uuid })).body.status).toBe('OK')
  expect(await openLink(made.url, '1950-11-12')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await openLink(made.url, '1971-02-03')).toMatchObject({ status: 'OK' })
  // nor does one that says none any more
  const blank = await makeStudy()
  const withBlank = await add({ study_ids: blank.uuid, password_is_dob: 1 })
  await query(`update study set patient_birth_date = '' where uuid = '${blank.uuid}'`)
  expect(await openLink(withBlank.url, '1971-02-03')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
})

/** Acts after which a study of a link is another patient's. */
const corrections: Record<string, (study: typeof first) => Promise<unknown>> = {
  'a person, by study/set': (study) => {
    const patient = { patient_name: 'ROE^RICHARD', patientid: newUid().slice(-12), patient_birth_date: '19501112' }
    return call('study/set', { sid: staff.sid, uuid: study.uuid, ...patient })
  },
  // a message, a merge, a separation and a restoring write the row of the record
  'whatever writes the row': (study) =>
    query(`update study set patient_birth_date = '19501112' where uuid = '${study.uuid}'`),
  'whatever leaves none': (study) => query(`update study set patient_birth_date = '' where uuid = '${study.uuid}'`),
}

test.each(Object.keys(corrections))(
  'what a date of birth opened shows nothing once its only exam was corrected by %s',
  async (way) => {
    const study = await makeStudy()
    const link = { sid: staff.sid, action: 'STUDY_VIEW', study_id: study.uuid }
    const made = (await call('link/add', { ...link, password_is_dob: 1 })).body
    const withoutDate = (await call('link/add', link)).body
    const [opened, open] = [await openLink(made.url, '1971-02-03'), await openLink(withoutDate.url)]
    expect([await shownBy(opened.sid), await seeDoor(opened.sid, study)]).toEqual([[study.uuid], 200])
    await corrections[way]?.(study)
    expect([await shownBy(opened.sid), await seeDoor(opened.sid, study)]).toEqual([[], 403])
    // a link that asks for no date shows it as before
    expect([await shownBy(open.sid), await seeDoor(open.sid, study)]).toEqual([[study.uuid], 200])
    await query(`update study set patient_birth_date = '19710203' where uuid = '${study.uuid}'`)
    expect([await shownBy(opened.sid), await seeDoor(opened.sid, study)]).toEqual([[study.uuid], 200])
  },
)
