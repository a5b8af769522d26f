import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Group, makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { putSetting } from '../setting/setting.sql.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const [{ issuer: own } = { issuer: '' }] = await query<{ issuer: string }>(
  `select issuer from account where uuid = '${organisation.accountUuid}'`,
)

interface Patient {
  patient_name: string
  patient_birth_date: string
  patient_sex: string
  patientid: string
  issuer: string
  arrival: string
}
const anna = { patient_name: 'WEBER^ANNA', patient_birth_date: '19700203', patient_sex: 'F' }
const ben = { patient_name: 'OKAFOR^BEN', patient_birth_date: '19811224', patient_sex: 'M' }

let numbers = 0
/** A number that nobody has yet. */
const newMrn = () => `N-${++numbers}`
async function addStudy(
  group: Group,
  patient: Partial<Patient>,
  fields: { created_by?: string; must_approve?: boolean } = {},
) {
  const { uuid } = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid }, fields)
  const set = Object.entries({ issuer: own, ...patient }).map(([column, value]) => `${column} = '${value}'`)
  await query(`update study set ${set.join()} where uuid = '${uuid}'`)
  return uuid
}
async function makePlace(role = 'Clinician') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  return { group, person, sid: person.sid }
}
const set = async (sid: string, uuid: string, sent: object) => (await call('study/set', { sid, uuid, ...sent })).body
const get = async (sid: string, uuid: string) => (await call('study/get', { sid, uuid })).body
const holders = async (sid: string, uuid: string) => (await call('study/mrn/holders', { sid, uuid })).body

it('gives a person the number of another only with a reason, and shows who that is', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  const other = await addStudy(group, { ...ben, patientid })
  await addStudy(group, { ...ben, patientid, patient_name: 'Okafor^Ben^' })
  const uuid = await addStudy(group, { ...anna, patientid: newMrn() })
  const before = await get(sid, uuid)
  const refused = await set(sid, uuid, { patientid })
  expect(refused).toMatchObject({
    error_type: 'MRN_HELD',
    error_subtype: 'patientid',
    error_data: { patientid, elsewhere: 0, holders: [{ verdict: 'different' }, { verdict: 'different' }] },
  })
  expect(refused.error_data.holders).toContainEqual({
    ...ben,
    study_uuid: other,
    study_count: 1,
    issuer: own,
    verdict: 'different',
    reasons: ['name-different', 'birth-date-different', 'sex-different', 'mrn-same'],
  })
  expect(await get(sid, uuid)).toEqual(before)
  expect((await set(sid, uuid, { patientid, mrn_reason: '  ' })).error_type).toBe('MRN_HELD')
  expect(await set(sid, uuid, { patientid, mrn_reason: 'Number of the clinic' })).toMatchObject({ status: 'OK', uuid })
  const { events } = (await call('audit/object', { sid, uuid })).body
  expect(events[0]).toMatchObject({
    action: 'EDIT',
    detail: {
      patientid: [before.patientid, patientid],
      mrn_held: { reason: 'Number of the clinic', studies: expect.arrayContaining([other]) },
    },
  })
  // both studies name the other person
  expect((await holders(sid, uuid)).holders).toHaveLength(2)
  expect((await holders(sid, other)).holders).toMatchObject([{ ...anna, study_uuid: uuid }])
})

it('asks nothing where the number is the person’s own, and wants a look where that is not sure', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...anna, patientid })
  const same = await addStudy(group, { ...anna, patient_name: 'Weber^Anna', patientid: newMrn() })
  expect((await set(sid, same, { patientid: patientid.toLowerCase() })).status).toBe('OK')
  expect(await holders(sid, same)).toMatchObject({ holders: [], elsewhere: 0 })
  const married = await addStudy(group, { ...anna, patient_name: 'HUBER^ANNA' })
  expect((await set(sid, married, { patientid })).error_data.holders).toMatchObject([
    { verdict: 'likely' },
    { verdict: 'likely' },
  ])
})

it('asks also where not the number is changed but who holds it', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...anna, patientid })
  const uuid = await addStudy(group, { ...anna, patientid })
  for (const sent of [{ patient_name: 'OKAFOR^ANNA' }, { patient_birth_date: '19811224' }, { patient_sex: 'M' }]) {
    expect((await set(sid, uuid, sent)).error_type).toBe('MRN_HELD')
  }
  expect((await set(sid, uuid, { ...ben, mrn_reason: 'Wrong worklist entry' })).status).toBe('OK')
  // the pairs of records are known by now
  expect((await set(sid, uuid, { patient_birth_date: '19811225' })).status).toBe('OK')
  expect((await set(sid, uuid, { accession_number: 'A1' })).status).toBe('OK')
})

it('asks anew where the exam becomes that of a third person, for whom no reason was given', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...ben, patientid })
  const uuid = await addStudy(group, { ...anna, patientid: newMrn() })
  const reasons = async () => {
    const [row] = await query<{ edits: { held?: string }[] }>(`select edits from study where uuid = '${uuid}'`)
    return row?.edits.flatMap(({ held }) => held ?? [])
  }
  await set(sid, uuid, { patientid, mrn_reason: 'Number of the clinic' })
  expect(await set(sid, uuid, { patient_name: 'Weber^Anna Maria', accession_number: 'A1' })).toMatchObject({
    status: 'OK',
  })
  expect(await reasons()).toEqual([patientid])
  const third = { patient_name: 'SOMEONE^ELSE', patient_birth_date: '20000101' }
  expect((await set(sid, uuid, third)).error_type).toBe('MRN_HELD')
  // nobody else has another number, and there the reason stays behind
  const free = newMrn()
  expect((await set(sid, uuid, { ...third, patientid: free })).status).toBe('OK')
  expect(await reasons()).toEqual([])
})

it('takes an edit back without asking', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...ben, patientid })
  const uuid = await addStudy(group, { ...anna, patientid })
  expect((await holders(sid, uuid)).holders).toHaveLength(1)
  expect((await set(sid, uuid, { patientid: newMrn() })).status).toBe('OK')
  expect((await set(sid, uuid, { patientid })).status).toBe('OK')
  expect((await set(sid, uuid, { patientid: '' })).status).toBe('OK')
  expect(await holders(sid, uuid)).toMatchObject({ patientid: '', holders: [], elsewhere: 0 })
})

it('counts a number of an unknown issuer as held, that of another issuer or a deleted study not', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...ben, patientid, issuer: 'AWAY' })
  const gone = await addStudy(group, { ...ben, patientid })
  await query(`update study set deleted_at = now() where uuid = '${gone}'`)
  const uuid = await addStudy(group, anna)
  expect((await set(sid, uuid, { patientid })).status).toBe('OK')
  const unknown = await addStudy(group, { ...ben, patientid: newMrn(), issuer: '' })
  const { patientid: other } = await get(sid, unknown)
  expect((await set(sid, uuid, { patientid: other })).error_data.holders).toMatchObject([{ ...ben, issuer: '' }])
})

it('tells of people in studies that the caller may not see only that somebody is there', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  const hidden = await organisation.addGroup()
  await addStudy(hidden, { ...ben, patientid })
  const uuid = await addStudy(group, anna)
  const refused = await set(sid, uuid, { patientid })
  expect(refused).toMatchObject({ error_type: 'MRN_HELD', error_data: { patientid, holders: [], elsewhere: 1 } })
  expect(JSON.stringify(refused)).not.toMatch(/OKAFOR|1981/)
  expect((await set(sid, uuid, { patientid, mrn_reason: 'Asked the registration' })).status).toBe('OK')
  expect(await holders(sid, uuid)).toMatchObject({ holders: [], elsewhere: 1 })
  // nor of what waits for approval, nor by a role that may not see names
  const waiting = newMrn()
  await addStudy(group, { ...ben, patientid: waiting }, { must_approve: true })
  expect((await set(sid, uuid, { patientid: waiting })).error_data).toMatchObject({ holders: [], elsewhere: 1 })
  const shown = newMrn()
  await addStudy(group, { ...ben, patientid: shown })
  await putSetting(
    services.db,
    'namespace',
    group.namespaceUuid,
    'study_field_flags',
    '{"study_field_patient_name":"H"}',
  )
  expect((await set(sid, uuid, { patientid: shown })).error_data).toMatchObject({ holders: [], elsewhere: 1 })
  expect(await holders(sid, uuid)).toMatchObject({ patientid: '', holders: [], elsewhere: 0 })
})

it('does not look into another account', async () => {
  const { group, sid } = await makePlace()
  const elsewhere = await makeOrganisation(services.db)
  const away = await elsewhere.addGroup()
  const { uuid: theirs } = await makeStudy(services.db, { ...away, accountUuid: elsewhere.accountUuid })
  const patientid = newMrn()
  await query(`update study set patientid = '${patientid}', patient_name = 'X' where uuid = '${theirs}'`)
  const uuid = await addStudy(group, anna)
  expect((await set(sid, uuid, { patientid })).status).toBe('OK')
})

it('asks for a held number before the images are there unless the very patient was announced, whom images prove', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  await addStudy(group, { ...anna, patientid })
  const same = await addStudy(group, { ...anna, arrival: 'announced' })
  expect((await set(sid, same, { patientid })).status).toBe('OK')
  const uuid = await addStudy(group, { ...anna, patient_birth_date: '', arrival: 'announced' })
  expect((await set(sid, uuid, { patientid })).error_type).toBe('MRN_HELD')
})

it('finds a number however wide, with whatever hyphen and in whatever case it is written', async () => {
  const { group, sid } = await makePlace()
  const written = ['AB-17-Ж', 'ＡＢ－１７－Ж', 'ab\u201117\u2013ж', ' AB\u221217\u2014Ж\u200b', 'ａｂー１７-ж\u3000']
  for (const [at, theirs] of written.entries()) {
    const place = await addStudy(group, { ...ben, patientid: theirs })
    for (const patientid of written.filter((one) => one !== theirs && one === one.trim() && !/\u200b/.test(one))) {
      const uuid = await addStudy(group, { ...anna, patientid: newMrn() })
      const { error_data } = await set(sid, uuid, { patientid })
      expect([at, error_data?.holders[0]?.study_uuid]).toEqual([at, place])
      // with a reason it is stored as it was typed
      expect((await set(sid, uuid, { patientid, mrn_reason: 'Asked' })).status).toBe('OK')
      expect((await get(sid, uuid)).patientid).toBe(patientid)
      expect((await holders(sid, place)).holders).toMatchObject([{ ...anna, study_uuid: uuid }])
      await query(`update study set deleted_at = now() where uuid = '${uuid}'`)
    }
    await query(`update study set deleted_at = now() where uuid = '${place}'`)
  }
})

it('names of many holders those first who are plainly others, and counts the rest', async () => {
  const { group, sid } = await makePlace()
  const patientid = newMrn()
  for (let count = 0; count < 22; count++)
    await addStudy(group, { ...anna, patient_name: `HUBER${count}^ANNA`, patientid })
  await addStudy(group, { ...ben, patientid })
  const uuid = await addStudy(group, { ...anna, patientid: newMrn() })
  const { error_data } = await set(sid, uuid, { patientid })
  expect(error_data).toMatchObject({ elsewhere: 0, more: 3 })
  expect(error_data.holders).toHaveLength(20)
  expect(error_data.holders[0]).toMatchObject({ ...ben, verdict: 'different' })
})

it('lets one of two who take a number at once have it', async () => {
  const { group, sid } = await makePlace()
  for (let round = 0; round < 5; round++) {
    const patientid = newMrn()
    const uuids = [await addStudy(group, anna), await addStudy(group, ben)]
    const replies = await Promise.all(uuids.map((uuid) => set(sid, uuid, { patientid })))
    expect(replies.map((one) => one.error_type ?? 'OK').sort()).toEqual(['MRN_HELD', 'OK'])
  }
})

it('[UPLOAD-08] tells an upload which of its patients have a number of somebody else’s', async () => {
  const { group, sid } = await makePlace('Uploader')
  const patientid = newMrn()
  const stored = await addStudy(group, { ...ben, patientid })
  const [{ study_uid } = { study_uid: '' }] = await query<{ study_uid: string }>(
    `select study_uid from study where uuid = '${stored}'`,
  )
  const ask = async (who: string, people: object[]) =>
    (await call('study/upload/people', { sid: who, namespace_id: group.namespaceUuid, people })).body
  const people = [
    { ...anna, patientid, study_uids: [] },
    { ...anna, patientid, study_uids: [study_uid] },
    { ...anna, patientid, issuer: 'AWAY', study_uids: [] },
    { ...ben, patientid, study_uids: [] },
    { ...ben, patientid: newMrn(), study_uids: [] },
  ]
  const clinician = await organisation.addPerson({ groups: [group] })
  const seen = await ask(clinician.sid, people)
  expect(seen.people.map((one: { holders: unknown[] }) => one.holders.length)).toEqual([1, 0, 0, 0, 0])
  expect(seen.people[0].holders).toMatchObject([{ ...ben, study_uuid: stored, verdict: 'different' }])
  // a person who may upload and see nothing gets no names
  const { people: told } = await ask(sid, people)
  expect(told[0]).toEqual({ patientid, holders: [], elsewhere: 1, more: 0, studies: [] })
  // the exam that is sent is here already, of a different patient; with another MRN, and without any
  for (const given of [patientid, newMrn(), '']) {
    const [one] = (await ask(clinician.sid, [{ ...anna, patientid: given, study_uids: [study_uid] }])).people
    expect(one.studies).toEqual([{ study_uid, ...ben }])
  }
  const [own] = (await ask(clinician.sid, [{ ...ben, patientid: newMrn(), study_uids: [study_uid] }])).people
  expect(own.studies).toEqual([])
  const [unnamed] = (await ask(sid, [{ ...anna, patientid, study_uids: [study_uid] }])).people
  expect(unnamed.studies).toEqual([{ study_uid, patient_name: '', patient_birth_date: '', patient_sex: '' }])
  expect((await ask(sid, [{ patientid: 7 }])).error_type).toBe('INVALID_FIELD')
  const stranger = await organisation.addPerson()
  expect((await ask(stranger.sid, people)).error_type).toBe('NOT_FOUND')
  expect((await call('study/mrn/holders', { sid: stranger.sid, uuid: randomUUID() })).body.error_type).toBe('NOT_FOUND')
})
