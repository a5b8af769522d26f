import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeSession, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const own = await makeOrganisation(services.db)
const flagged = async (flag: 'sysadmin' | 'support') => {
  const person = await own.addPerson({ role: 'Administrator' })
  await query(`update app_user set ${flag} = true where uuid = '${person.userUuid}'`)
  return person
}
const [system, supporter] = [await flagged('sysadmin'), await flagged('support')]
const ask = async (path: string, { sid }: { sid: string }, sent: object = {}) =>
  (await call(path, { sid, ...sent })).body

/** An organisation whose one exam was deleted, closed by its administrator. */
async function makeClosed(name: string) {
  const organisation = await makeOrganisation(services.db, { name })
  const { accountUuid: uuid } = organisation
  const group = await organisation.addGroup()
  const head = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid: uuid }, { patient_name: 'DOE^JANE' })
  await ask('study/set', head, { study_id: study.uuid, patientid: `MRN ${name}` })
  await ask('study/delete', head, { uuid: study.uuid })
  expect((await ask('account/delete', head, { uuid })).status).toBe('OK')
  return { uuid, head, study }
}

it('closed accounts are listed to system administrators, the latest first, and found by name', async () => {
  const [first, second] = [await makeClosed('Clinic Elm'), await makeClosed('Clinic Oak')]
  const listed = async (sent: object = {}) =>
    (await ask('system/account/closed', system, sent)).accounts as { uuid: string; name: string; closed: string }[]
  expect((await listed()).map(({ uuid }) => uuid)).toEqual([second.uuid, first.uuid])
  const [found, ...others] = await listed({ 'filter.name.like': '%elm%' })
  expect(others).toEqual([])
  expect(found?.name).toMatch(/^Clinic Elm \(closed \d{4}-\d\d-\d\d, [0-9a-f]{8}\)$/)
  expect(Math.abs(Date.now() - Date.parse(`${found?.closed.slice(0, 19).replace(' ', 'T')}Z`))).toBeLessThan(3_600_000)
  const open = (await ask('system/account/list', system)).accounts as { uuid: string }[]
  expect(open.map(({ uuid }) => uuid)).not.toContain(first.uuid)
})

it('the audit of a closed account is read by system administrators, by filter and page, once on record for each session', async () => {
  const { uuid, study } = await makeClosed('Clinic Yew')
  const read = async (sent: object = {}, as: { sid: string } = system) =>
    ask('system/account/audit', as, { account_id: uuid, ...sent })
  const acts = async (sent: object = {}) =>
    (await read(sent)).events.map((one: { action: string; type: string }) => `${one.action} ${one.type}`)
  const all = await acts()
  expect(all.slice(0, 2)).toEqual(['AUDIT_READ Account', 'DELETE Account'])
  expect(all).toContain('DELETE Study')
  expect(await acts({ 'filter.study.like': '%doe%', 'filter.action.equals': 'DELETE' })).toEqual(['DELETE Study'])
  const [about] = (await read({ 'filter.study_id.equals': study.uuid })).events
  expect(about).toMatchObject({ study: { patient_name: 'DOE^JANE', patientid: 'MRN Clinic Yew' } })
  expect((await read({ 'page.rows': 1, 'page.number': 2, 'page.total': 1 })).page).toEqual({
    more: 1,
    rows: 1,
    number: 2,
    total: all.length,
  })
  const rows = () => query(`select actor_name from audit where account_uuid = '${uuid}' and action = 'AUDIT_READ'`)
  expect(await rows()).toEqual([{ actor_name: system.name }])
  const again = { sid: await makeSession(services.db, system.userUuid) }
  expect((await read({}, again)).status).toBe('OK')
  expect(await rows()).toHaveLength(2)
})

it('the audit of an open account, and of none, is not there; and nobody else asks', async () => {
  const { uuid, head } = await makeClosed('Clinic Fir')
  const open = await makeOrganisation(services.db)
  const fault = async (who: { sid: string }, account_id: string) =>
    (await ask('system/account/audit', who, { account_id })).error_type
  expect(await fault(system, open.accountUuid)).toBe('NOT_FOUND')
  expect(await fault(system, randomUUID())).toBe('NOT_FOUND')
  expect(await fault(supporter, uuid)).toBe('NOT_PERMITTED')
  const stranger = await own.addPerson({ role: 'Administrator' })
  expect(await fault(stranger, uuid)).toBe('NOT_PERMITTED')
  expect((await ask('system/account/closed', supporter)).error_type).toBe('NOT_PERMITTED')
  expect((await call('system/account/audit', { account_id: uuid })).status).toBe(401)
  expect((await call('system/account/audit', { sid: head.sid, account_id: uuid })).status).toBe(401)
  expect(await query(`select from audit where account_uuid = '${open.accountUuid}' and action = 'AUDIT_READ'`)).toEqual(
    [],
  )
})
