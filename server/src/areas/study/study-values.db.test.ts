import { type StudyDicomField, studyDicomFields } from '@hilum/contract/entities/study'
import { attributeOfField } from '@hilum/contract/entities/study-attributes'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const place = { ...group, accountUuid: organisation.accountUuid }

/** Values that a VR holds, as they are kept, and such as it does not, with a word of the reason. */
const samples: Readonly<
  Record<string, { good: readonly (readonly [string, string])[]; bad: readonly (readonly [string, string])[] }>
> = {
  PN: {
    good: [['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada^Tarou=山田^太郎=やまだ^たろう']],
    bad: [
      ['DOE\\ROE^RON', 'backslash'],
      ['a=b=c=d', 'component groups'],
      ['1^2^3^4^5^6', 'components'],
      [`DOE^${'x'.repeat(64)}`, '64 characters'],
      ['DOE\u001b$B', 'cannot be shown'],
    ],
  },
  LO: {
    good: [['ß'.repeat(64), 'ß'.repeat(64)]],
    bad: [
      ['555\\12', 'backslash'],
      ['5'.repeat(65), '64 characters'],
      ['555\n12', 'line break'],
    ],
  },
  SH: {
    good: [['ÄÖÜ-4711', 'ÄÖÜ-4711']],
    bad: [
      ['4711\\4712', 'backslash'],
      ['4'.repeat(17), '16 characters'],
    ],
  },
  LT: {
    good: [['two\r\nlines \\ one stroke', 'two\r\nlines \\ one stroke']],
    bad: [['a\u0007bell', 'cannot be shown']],
  },
  DA: {
    good: [
      ['19700228', '19700228'],
      ['1970-02-28', '19700228'],
    ],
    bad: [
      ['19700230', 'a date'],
      ['1970', 'a date'],
      ['28.02.1970', 'a date'],
    ],
  },
  TM: {
    good: [
      ['101112.5', '101112.5'],
      ['10:11', '1011'],
    ],
    bad: [['25', 'a time']],
  },
  CS: {
    good: [['O', 'O']],
    bad: [
      ['women', 'capital letters'],
      ['O\\F', 'backslash'],
    ],
  },
  AS: {
    good: [['034Y', '034Y']],
    bad: [
      ['34 years', 'an age'],
      ['34Y', 'an age'],
    ],
  },
  DS: { good: [['71.5', '71.5']], bad: [['71,5', 'a decimal number']] },
}

/** Of attributes with several values a backslash divides them. */
function badFor(tag: StudyDicomField) {
  const { vr, isMultiple } = attributeOfField(tag)
  const bad = samples[vr]?.bad.filter(([value]) => !(isMultiple && value.includes('\\'))) ?? []
  // the sex is kept in capitals
  return tag === 'patient_sex' ? bad.filter(([value]) => value !== 'women') : bad
}

it.each(studyDicomFields)(
  '[API-14] study/set keeps of %s what DICOM holds, and refuses all else with the reason',
  async (tag) => {
    const { uuid } = await makeStudy(services.db, place, { patient_name: 'DOE^JANE' })
    const read = async () => {
      const [row] = await query<{ kept: string }>(
        `select coalesce(to_jsonb(s) ->> '${tag}', s.demographics ->> '${tag}', '') as kept from study s where uuid = '${uuid}'`,
      )
      return row?.kept
    }
    const { good, bad } = { ...samples[attributeOfField(tag).vr], bad: badFor(tag) }
    expect(bad.length).toBeGreaterThan(0)
    for (const [sent, kept] of good ?? []) {
      expect((await call('study/set', { sid, uuid, [tag]: sent })).body.status).toBe('OK')
      expect(await read()).toBe(kept)
    }
    const before = await read()
    for (const [sent, reason] of bad) {
      const { status, body } = await call('study/set', { sid, uuid, [tag]: sent })
      expect([status, body]).toMatchObject([412, { error_type: 'INVALID_FIELD', error_subtype: tag }])
      expect(body.error_data).toContain(reason)
      expect(await read()).toBe(before)
    }
  },
)

it.each(studyDicomFields)(
  'study/add refuses a value of %s that DICOM cannot hold, and makes no record',
  async (tag) => {
    for (const [sent, reason] of badFor(tag)) {
      const study_uid = newUid()
      const key = { storage_namespace: group.namespaceUuid, phi_namespace: group.namespaceUuid }
      const { body } = await call('study/add', { sid, ...key, study_uid, [tag]: sent })
      expect(body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: tag })
      expect(body.error_data).toContain(reason)
      expect(await query(`select from study where study_uid = '${study_uid}'`)).toEqual([])
    }
  },
)

it('leaves what came with the images where it is, and takes it back, whatever it is', async () => {
  const { uuid } = await makeStudy(services.db, place, { patient_name: 'DOE^JANE' })
  const came = '5'.repeat(70)
  await query(`update study set patientid = '${came}' where uuid = '${uuid}'`)
  const set = async (sent: object) => (await call('study/set', { sid, uuid, ...sent })).body
  expect(await set({ patientid: came, patient_sex: 'f' })).toMatchObject({ status: 'OK' })
  expect(await set({ patientid: 'M1' })).toMatchObject({ status: 'OK' })
  expect(await set({ patientid: came })).toMatchObject({ status: 'OK' })
  expect(await set({ patientid: `${came}5` })).toMatchObject({ error_type: 'INVALID_FIELD' })
  expect(await query(`select patientid, patient_sex from study where uuid = '${uuid}'`)).toEqual([
    { patientid: came, patient_sex: 'F' },
  ])
})
