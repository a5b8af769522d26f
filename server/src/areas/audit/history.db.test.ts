import { describe, expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findCaller } from '../../access/find-caller.ts'
import { writeStudyAudit } from './audit.sql.ts'
import { type AccessDetail, recordAccess } from './record-access.command.ts'

const { services, call, query } = await startTestApp()
const { db } = services
const organisation = await makeOrganisation(db)
const group = await organisation.addGroup()
const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const { sid } = person

async function makeRecord() {
  const place = { namespaceUuid: group.namespaceUuid, accountUuid: organisation.accountUuid }
  const { uuid } = await makeStudy(db, place)
  return { uuid, account_uuid: place.accountUuid, phi_namespace: place.namespaceUuid }
}
const callerOf = async (of: string) => {
  const caller = await findCaller(db, of, '192.0.2.7')
  if (!caller) throw new Error('There is no session')
  return caller
}
const history = async (uuid: string, sent: object = {}) => (await call('audit/object', { sid, uuid, ...sent })).body

describe('the history of a study', () => {
  it('says what was done, by whom, when, from where and with whom', async () => {
    const record = await makeRecord()
    await writeStudyAudit(db, await callerOf(sid), record, 'DUPLICATE', { with: 'South Hospital' })
    await writeStudyAudit(db, undefined, record, 'PURGE')
    const { events, page } = await history(record.uuid)
    expect(page).toMatchObject({ more: 0, number: 1, total: 2 })
    const common = { uuid: expect.stringMatching(/^\d+$/), type: 'Study', what: record.uuid, proxy: '' }
    const when = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/)
    expect(events).toEqual([
      { ...common, action: 'PURGE', who: '', when, detail: {}, with: '', client_address: '', actor_kind: 'system' },
      {
        ...common,
        action: 'DUPLICATE',
        who: person.name,
        when,
        detail: { with: 'South Hospital' },
        with: 'South Hospital',
        client_address: '192.0.2.7',
        actor_kind: 'user',
      },
    ])
  })

  it('is read page by page, from either end', async () => {
    const record = await makeRecord()
    for (const action of ['APPROVE', 'DELETE', 'EDIT'] as const) await writeStudyAudit(db, undefined, record, action)
    const actions = async (sent: object) => {
      const { events, page } = await history(record.uuid, sent)
      return [events.map((one: { action: string }) => one.action[0]).join(''), page.more]
    }
    expect(await actions({})).toEqual(['EDA', 0])
    expect(await actions({ reverse: 1 })).toEqual(['ADE', 0])
    expect(await actions({ reverse: 0 })).toEqual(['EDA', 0])
    expect(await actions({ 'page.rows': 2 })).toEqual(['ED', 1])
    expect(await actions({ 'page.rows': 2, 'page.number': 2 })).toEqual(['A', 0])
    expect(await actions({ 'page.rows': 1, 'page.number': 2, reverse: 1 })).toEqual(['D', 1])
  })

  it('is filtered by act, kind and time', async () => {
    const record = await makeRecord()
    await writeStudyAudit(db, undefined, record, 'EDIT')
    await writeStudyAudit(db, undefined, record, 'CREATE')
    await query(
      `update audit set at = '2026-01-31 12:00:00+00' where object_uuid = '${record.uuid}' and action = 'CREATE'`,
    )
    const found = async (sent: object) =>
      (await history(record.uuid, sent)).events.map((one: { action: string }) => one.action)
    expect(await found({ 'filter.action.equals': 'EDIT' })).toEqual(['EDIT'])
    expect(await found({ 'filter.type.equals': 'Study' })).toEqual(['EDIT', 'CREATE'])
    expect(await found({ 'filter.type.equals': 'study' })).toEqual([])
    expect(await found({ 'filter.when.equals': '2026-01-31' })).toEqual(['CREATE'])
    expect(await found({ 'filter.when.equals': '2026-02-01', 'filter.tz': 'Pacific/Auckland' })).toEqual(['CREATE'])
    expect(await found({ 'filter.when.gt': '2026-01-31' })).toEqual(['EDIT'])
  })

  it('tells nothing of fields that the role does not see', async () => {
    const record = await makeRecord()
    const field = { uuid: '018f0000-0000-7000-8000-00000000000f', name: 'Ward' }
    await query(`insert into customfield (uuid, account_uuid, name, object, type)
      values ('${field.uuid}', '${organisation.accountUuid}', '${field.name}', 'Study', 'text')`)
    const detail = {
      patientid: ['1', '2'],
      issuer: ['A', 'B'],
      patient_name: ['X', 'Y'],
      mrn_held: { reason: 'Twins', studies: [] },
      patient_confirmed: { verdict: 'different', differs: ['name-different'] },
      Ward: ['3A', '3B'],
    }
    await writeStudyAudit(db, undefined, record, 'EDIT', detail)
    const shown = async () => (await history(record.uuid)).events[0].detail
    expect(await shown()).toEqual(detail)
    const hide = (flags: object) =>
      query(`insert into setting (scope, scope_uuid, key, value)
        values ('namespace', '${group.namespaceUuid}', 'study_field_flags', '${JSON.stringify(flags)}')
        on conflict (scope, scope_uuid, key) do update set value = excluded.value`)
    await hide({ study_field_patient_name: 'H' })
    expect(await shown()).toEqual({ ...detail, patient_name: undefined, patient_confirmed: undefined })
    await hide({ study_field_patientid: 'H', [`study_field_customfield_${field.uuid}`]: 'H' })
    expect(await shown()).toEqual({ patient_name: ['X', 'Y'] })
    await hide({})
    expect(await shown()).toEqual(detail)
  })
})

describe('an access to images', () => {
  it('is on record once for each session, act, study and choice of what is left out', async () => {
    const [record, other] = [await makeRecord(), await makeRecord()]
    const reader = await organisation.addPerson({ groups: [group] })
    const [first, second] = [await callerOf(reader.sid), await callerOf(sid)]
    const note = (
      caller = first,
      of = record,
      action: 'STUDY_VIEW' | 'STUDY_DOWNLOAD' = 'STUDY_VIEW',
      detail?: AccessDetail,
    ) => recordAccess(db, caller, { record: of } as Parameters<typeof recordAccess>[2], action, detail)
    const noted = async (of = record) =>
      (await history(of.uuid, { reverse: 1 })).events.map((one: { action: string; who: string; detail: unknown }) => [
        one.action,
        one.who,
        one.detail,
      ])
    await note()
    await note()
    expect(await noted()).toEqual([['STUDY_VIEW', reader.name, {}]])
    await note(second)
    await note(first, record, 'STUDY_DOWNLOAD')
    await note(first, record, 'STUDY_VIEW', { anonymize_tags: ['00100010'] })
    await note(first, record, 'STUDY_VIEW', { anonymize_tags: ['00100010'] })
    await note(first, record, 'STUDY_VIEW', { anonymize_tags: ['00100020'] })
    await note(first, other)
    expect(await noted()).toEqual([
      ['STUDY_VIEW', reader.name, {}],
      ['STUDY_VIEW', person.name, {}],
      ['STUDY_DOWNLOAD', reader.name, {}],
      ['STUDY_VIEW', reader.name, { anonymize_tags: ['00100010'] }],
      ['STUDY_VIEW', reader.name, { anonymize_tags: ['00100020'] }],
    ])
    expect(await noted(other)).toEqual([['STUDY_VIEW', reader.name, {}]])
  })

  it('that another process put on record already is not on record twice', async () => {
    const record = await makeRecord()
    const caller = await callerOf(sid)
    await query(`insert into audit_once (session_uuid, action, study_uuid)
      values ('${caller.sessionUuid}', 'REPORT_VIEW', '${record.uuid}')`)
    await recordAccess(db, caller, { record } as Parameters<typeof recordAccess>[2], 'REPORT_VIEW')
    expect((await history(record.uuid)).events).toEqual([])
  })
})
