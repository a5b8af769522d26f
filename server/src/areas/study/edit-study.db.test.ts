import { randomUUID } from 'node:crypto'
import type { StudyDicomField } from '@hilum/contract/entities/study'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findCaller } from '../../access/find-caller.ts'
import { openStudyRecord } from '../../access/study-access.ts'
import { editStudy, type StudySetting } from './edit-study.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const [{ issuer: own } = { issuer: '' }] = await query<{ issuer: string }>(
  `select issuer from account where uuid = '${organisation.accountUuid}'`,
)
const group = await organisation.addGroup()
const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
const ring = vi.fn<() => void>()
const ringing = { ...services, events: { ...services.events, ring } }

const newMrn = () => `N-${randomUUID().slice(0, 8)}`
const anna = { patient_name: 'WEBER^ANNA', patient_birth_date: '19700203', patient_sex: 'F' }
const ben = { patient_name: 'OKAFOR^BEN', patient_birth_date: '19811224', patient_sex: 'M' }

async function addStudy(columns: Record<string, string> = {}): Promise<string> {
  const { uuid } = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  const set = Object.entries({ issuer: own, ...columns }).map(([column, value]) => `${column} = '${value}'`)
  await query(`update study set ${set.join()} where uuid = '${uuid}'`)
  return uuid
}
/** Edits as a call does that found the record a moment ago. */
async function edit(
  uuid: string,
  setting: Partial<StudySetting> | Partial<Record<StudyDicomField, string>>,
): Promise<void> {
  const caller = await findCaller(services.db, sid, '')
  if (!caller || caller.kind === 'link') throw new Error('There is no session of a user')
  const access = await openStudyRecord(services.db, caller, { uuid }, 'editStudy')
  await beforeTheLock?.()
  const isWhole = 'tags' in setting || 'columns' in setting || 'workStatus' in setting
  await editStudy(
    ringing,
    caller,
    access,
    isWhole ? { tags: {}, ...setting } : { tags: setting as StudySetting['tags'] },
  )
}
let beforeTheLock: (() => Promise<unknown>) | undefined
beforeEach(() => {
  beforeTheLock = undefined
  ring.mockClear()
})

interface Row {
  row_version: number
  phi_version: number
  customfields: object
  edits: { tag: string; old: string; new: string; who: string }[]
  issuer: string
  taken_by: string | null
  expected_count: number | null
}
const read = async (uuid: string) => (await query<Row>(`select * from study where uuid = '${uuid}'`))[0] as Row
const editsOf = async (uuid: string) => (await read(uuid)).edits.map(({ tag, old, new: now }) => [tag, old, now])
const historyOf = async (uuid: string) =>
  (await call('audit/object', { sid, uuid })).body.events.map((event: { detail: unknown }) => event.detail)
const eventsOf = (uuid: string) =>
  query<{ kind: string }>(`select kind from event where uuid = '${uuid}' order by id`).then((rows) =>
    rows.map(({ kind }) => kind),
  )

describe('what stands in the way of an edit', () => {
  it('is a newer version than the one that was read, also one that came a moment ago', async () => {
    const uuid = await addStudy()
    const { row_version: rowVersion } = await read(uuid)
    await edit(uuid, { tags: { patient_sex: 'F' }, rowVersion })
    const stale = { tags: { patient_sex: 'M' }, rowVersion }
    await expect(edit(uuid, stale)).rejects.toMatchObject({ code: 'STALE' })
    await edit(uuid, { tags: { patient_sex: 'O' } })
    expect(await editsOf(uuid)).toEqual([['patient_sex', '', 'O']])
  })

  it('is somebody else’s lock, not one’s own', async () => {
    const uuid = await addStudy()
    await call('study/lock', { sid, uuid })
    await edit(uuid, { patient_sex: 'F' })
    await query(
      `update study_lock set user_uuid = '${(await organisation.addPerson()).userUuid}' where study_uuid = '${uuid}'`,
    )
    await expect(edit(uuid, { patient_sex: 'M' })).rejects.toMatchObject({ code: 'LOCKED' })
  })

  it('is that the record has gone meanwhile', async () => {
    const uuid = await addStudy()
    beforeTheLock = () => query(`delete from study where uuid = '${uuid}'`)
    await expect(edit(uuid, { patient_sex: 'F' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it.each(['patient_name', 'patientid', 'accession_number', 'study_description', 'referring_physician'] as const)(
    'has no character in %s that could not be read',
    async (tag) => {
      const uuid = await addStudy({})
      const refused = { code: 'INVALID_FIELD', detail: { subtype: tag, data: expect.stringContaining('not be read') } }
      await expect(edit(uuid, { [tag]: 'M\ufffdller' })).rejects.toMatchObject(refused)
      expect(await editsOf(uuid)).toEqual([])
    },
  )

  it('is a value that images cannot hold, unless it came with them', async () => {
    const uuid = await addStudy({ patient_name: 'WEBER\\ANNA' })
    await edit(uuid, { patient_sex: 'F' })
    await edit(uuid, { patient_name: 'WEBER^ANNA' })
    await expect(edit(uuid, { patient_name: 'WEBER\\EVA' })).rejects.toMatchObject({ code: 'INVALID_FIELD' })
    await edit(uuid, { patient_name: 'WEBER\\ANNA' })
    expect(await editsOf(uuid)).toEqual([['patient_sex', '', 'F']])
  })
})

describe('what an edit leaves', () => {
  it('is one entry for each attribute, from the first value to the last, by whom', async () => {
    const uuid = await addStudy({ patient_name: 'A' })
    await edit(uuid, { patient_name: 'B', patient_comments: 'x' })
    await edit(uuid, { patient_name: 'C' })
    expect((await editsOf(uuid)).toSorted()).toEqual([
      ['patient_comments', '', 'x'],
      ['patient_name', 'A', 'C'],
    ])
    expect((await read(uuid)).edits.map(({ who }) => who)).toEqual([userUuid, userUuid])
    await edit(uuid, { patient_name: 'A' })
    expect(await editsOf(uuid)).toEqual([['patient_comments', '', 'x']])
    expect(await historyOf(uuid)).toEqual([
      { patient_name: ['C', 'A'] },
      { patient_name: ['B', 'C'] },
      { patient_name: ['A', 'B'], patient_comments: ['', 'x'] },
    ])
  })

  it('is nothing where nothing differs', async () => {
    const uuid = await addStudy({ patient_sex: 'F', source_ae_title: 'CT_1', expected_count: '12' })
    await edit(uuid, { patient_sex: 'F', patient_comments: '' })
    await edit(uuid, { tags: {}, columns: { source_ae_title: 'CT_1', expected_count: 12 } })
    expect([await editsOf(uuid), await historyOf(uuid)]).toEqual([[], []])
  })

  it('is any number of expected images where none was told, then only more', async () => {
    const uuid = await addStudy()
    for (const [sent, kept] of [
      [0, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      await edit(uuid, { tags: {}, columns: { expected_count: sent } })
      expect((await read(uuid)).expected_count).toBe(kept)
    }
  })

  it('is of custom fields what differs, by the names of the fields, and nothing of one that is cleared', async () => {
    const uuid = await addStudy()
    const field = { uuid: randomUUID(), name: 'customfield-ward' }
    for (const value of ['', '3B', '3B', '', '']) await edit(uuid, { tags: {}, values: [{ ...field, value }] })
    expect(await historyOf(uuid)).toEqual([{ [field.name]: ['3B', ''] }, { [field.name]: ['', '3B'] }])
    expect((await read(uuid)).customfields).toEqual({})
  })

  it('is another version of the patient only where something of the patient differs', async () => {
    const uuid = await addStudy()
    const { phi_version: before } = await read(uuid)
    await edit(uuid, { tags: {}, workStatus: 'done' })
    expect((await read(uuid)).phi_version).toBe(before)
    await edit(uuid, { patient_sex: 'F' })
    expect((await read(uuid)).phi_version).toBe(before + 1)
  })

  it('takes the work only where that is asked for', async () => {
    const uuid = await addStudy()
    await edit(uuid, { patient_sex: 'F' })
    expect((await read(uuid)).taken_by).toBeNull()
    await edit(uuid, { tags: {}, workStatus: 'in_progress' })
    expect((await read(uuid)).taken_by).toBe(userUuid)
  })

  it('is told to the open pages of this study, and of the people whose number it takes', async () => {
    const patientid = newMrn()
    const [holder, uuid] = [await addStudy({ ...ben, patientid }), await addStudy(anna)]
    await edit(uuid, { tags: { patientid }, mrnReason: 'Wrong worklist entry' })
    expect([await eventsOf(uuid), await eventsOf(holder)]).toEqual([['study'], ['study']])
    expect(ring).toHaveBeenCalledOnce()
  })
})

describe('the issuer', () => {
  it('stays with the number as it is written, and goes with a number that is cleared', async () => {
    const uuid = await addStudy({ patientid: newMrn(), issuer: own.toLowerCase() })
    await edit(uuid, { patientid: newMrn() })
    expect((await read(uuid)).issuer).toBe(own.toLowerCase())
    await edit(uuid, { patientid: '' })
    await edit(uuid, { patient_sex: 'F' })
    expect((await read(uuid)).issuer).toBe('')
  })
})

describe('the question whose number it is', () => {
  it('comes also where all that is known of the patient changes at once', async () => {
    const patientid = newMrn()
    await addStudy({ ...ben, patientid })
    const uuid = await addStudy({ ...ben, patientid: newMrn(), issuer: 'AWAY' })
    await expect(edit(uuid, { ...anna, patientid })).rejects.toMatchObject({ code: 'MRN_HELD' })
  })

  it('names the number that the patient has, where another attribute is what changes', async () => {
    const patientid = newMrn()
    const [uuid] = [await addStudy({ ...ben, patientid }), await addStudy({ ...ben, patientid })]
    await expect(edit(uuid, anna)).rejects.toMatchObject({
      code: 'MRN_HELD',
      detail: { data: { patientid, holders: [{ patient_name: ben.patient_name }] } },
    })
  })

  it('does not come where the number is taken away', async () => {
    const [, uuid] = [await addStudy({ ...ben, patientid: '' }), await addStudy({ ...anna, patientid: newMrn() })]
    await edit(uuid, { patientid: '' })
    expect(await editsOf(uuid)).toHaveLength(2)
  })

  it('says nothing of names that were only announced', async () => {
    const patientid = newMrn()
    const [, uuid] = [await addStudy({ ...ben, patientid }), await addStudy({ ...anna, arrival: 'announced' })]
    await expect(edit(uuid, { patientid })).rejects.toMatchObject({
      detail: { data: { holders: [{ verdict: 'likely', reasons: expect.not.arrayContaining(['name-different']) }] } },
    })
  })
})
