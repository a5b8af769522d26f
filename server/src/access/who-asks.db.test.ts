import { createHash, randomUUID } from 'node:crypto'
import { roleTemplates } from '@hilum/contract/roles'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { type Group, makeStudy } from '../../test/make-organisation.ts'
import type { Caller } from './caller.ts'
import { findCaller, findCallerAgain, findMembershipOf, isLiveSid } from './find-caller.ts'
import { findMinutesLeft } from './session.sql.ts'
import { digestOf, md5Of } from './sid.ts'

const { db, services, callerOf, makePlace, run } = await startAccess()
const { log } = services
const membershipIn = async (caller: Caller, { namespaceUuid }: Group) =>
  (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid)

describe('the caller behind a sid', () => {
  it('is the person of the session, with every place that the person belongs to', async () => {
    const { organisation, group, person, caller } = await makePlace()
    expect(caller).toMatchObject({
      userUuid: person.userUuid,
      name: person.name,
      email: person.email,
      namespaceUuid: person.namespaceUuid,
      sysadmin: false,
      support: false,
      sidMd5: createHash('md5').update(person.sid).digest('hex'),
      clientAddress: '192.0.2.1',
    })
    expect(caller).not.toHaveProperty('derivedStudies')
    const memberships = await caller.memberships()
    expect(memberships.map(({ kind, ownerUuid }) => [kind, ownerUuid]).toSorted()).toEqual([
      ['account', organisation.accountUuid],
      ['group', group.groupUuid],
      ['user', person.userUuid],
    ])
    expect(memberships.every((one) => one.accountUuid === organisation.accountUuid)).toBe(true)
    expect(await caller.memberships()).toBe(memberships)
  })

  it('is called by e-mail address where no name is known', async () => {
    const { person } = await makePlace()
    await run(`update app_user set first_name = '', last_name = '' where uuid = '${person.userUuid}'`)
    expect((await callerOf(person)).name).toBe(person.email)
    await run(`update app_user set last_name = 'Lovelace' where uuid = '${person.userUuid}'`)
    expect((await callerOf(person)).name).toBe('Lovelace')
  })

  it('may on the own namespace what an administrator may', async () => {
    const { person, caller } = await makePlace()
    const own = await membershipIn(caller, { groupUuid: '', namespaceUuid: person.namespaceUuid })
    expect(own?.roleUuid).toBe('')
    expect([...(own?.permissions ?? [])].toSorted()).toEqual(
      [...(roleTemplates.find((role) => role.type === 'admin')?.holds ?? [])].toSorted(),
    )
  })

  it('has in a group the role given there, else the one of the group, else the one of the account', async () => {
    const { organisation, group, person } = await makePlace()
    const roleThere = async () => (await membershipIn(await callerOf(person), group))?.roleUuid
    expect(await roleThere()).toBe(organisation.roles.get('Clinician'))
    await run(`update app_group set default_role_uuid = '${organisation.roles.get('Uploader')}'
      where uuid = '${group.groupUuid}'`)
    expect(await roleThere()).toBe(organisation.roles.get('Uploader'))
    await run(`update group_user set role_uuid = '${organisation.roles.get('Administrator')}'
      where group_uuid = '${group.groupUuid}'`)
    expect(await roleThere()).toBe(organisation.roles.get('Administrator'))
  })

  it('holds what the role says at this moment, and nothing that is no permission', async () => {
    const { organisation, group, person } = await makePlace()
    const held = async () => [...((await membershipIn(await callerOf(person), group))?.permissions ?? [])]
    // no text that was taken apart before
    const unknown = `x${randomUUID()}`
    for (const permissions of [`{${unknown},study_view,study_edit}`, '{}', `{study_view,${unknown},constructor}`]) {
      await run(`update role set permissions = '${permissions}' where uuid = '${organisation.roles.get('Clinician')}'`)
      expect(await held()).toEqual(
        permissions
          .slice(1, -1)
          .split(',')
          .filter((one) => one.startsWith('study_')),
      )
    }
  })

  it('sees of fields what role and namespace leave; one that cannot be read closes all', async () => {
    const { organisation, group, person } = await makePlace()
    const keep = (scope: string, uuid: string | undefined, value: string) =>
      run(
        `insert into setting (scope, scope_uuid, key, value) values ('${scope}', '${uuid}', 'study_field_flags', '${value}')`,
      )
    const flags = async () => (await membershipIn(await callerOf(person), group))?.fieldFlags
    expect(await flags()).toEqual({})
    const role = organisation.roles.get('Clinician')
    await keep('role', role, '{"study_field_patient_name": "H", "study_field_patientid": "H"}')
    await keep('namespace', group.namespaceUuid, '{"study_field_patientid": "O"}')
    expect(await flags()).toEqual({ study_field_patient_name: 'H', study_field_patientid: 'O' })
    await run(`update setting set value = 'hide!' where scope_uuid = '${role}'`)
    const told: unknown[] = []
    const telling = { warn: (line: unknown) => told.push(line) } as unknown as typeof log
    const closed = await findCaller(db, person.sid, '', { log: telling })
    expect((await membershipIn(closed as Caller, group))?.fieldFlags).toMatchObject({
      study_field_patient_name: 'H',
      study_field_study_date: 'H',
      study_field_patientid: 'O',
    })
    // the account's namespace has the role too: told once
    expect(told).toEqual([{ event: 'study_field_flags not readable', owner: role }])
    await membershipIn((await findCaller(db, person.sid, '', { log: telling })) as Caller, group)
    expect(told).toHaveLength(1)
  })

  it('belongs nowhere but to the own namespace once disabled in the account', async () => {
    const { group, person } = await makePlace()
    await run(`update account_user set disabled = true where user_uuid = '${person.userUuid}'`)
    const memberships = await (await callerOf(person)).memberships()
    expect(memberships.map(({ kind }) => kind)).toEqual(['user'])
    expect(await findMembershipOf(db, person.userUuid, group.namespaceUuid, log)).toBeUndefined()
  })
})

describe('a session is over', () => {
  const change: [string, string][] = [
    ['that has run out', `expires_at = now()`],
    ['that was idle for too long', `last_used = now() - make_interval(mins => idle_minutes)`],
  ]

  it.each(change)('%s', async (_, values) => {
    const { person, caller } = await makePlace()
    expect(await isLiveSid(db, person.sid)).toBe(true)
    expect(await findCallerAgain(db, caller)).toMatchObject({ userUuid: person.userUuid, sidMd5: md5Of(person.sid) })
    await run(`update session set ${values} where uuid = '${caller.sessionUuid}'`)
    expect(await findCaller(db, person.sid, '')).toBeUndefined()
    expect(await findCallerAgain(db, caller)).toBeUndefined()
    expect(await isLiveSid(db, person.sid)).toBe(false)
    expect(await findMinutesLeft(db, digestOf(person.sid))).toBeUndefined()
  })

  it('of a person who was disabled, and of nobody', async () => {
    const { group, person, caller } = await makePlace()
    expect(await findMembershipOf(db, person.userUuid, group.namespaceUuid, log)).toMatchObject({ kind: 'group' })
    await run(`update app_user set disabled = true where uuid = '${person.userUuid}'`)
    expect(await findCaller(db, person.sid, '')).toBeUndefined()
    expect(await findCallerAgain(db, caller)).toBeUndefined()
    expect(await findMinutesLeft(db, digestOf(person.sid))).toBeUndefined()
    expect(await findMembershipOf(db, person.userUuid, group.namespaceUuid, log)).toBeUndefined()
    expect(await findMembershipOf(db, randomUUID(), group.namespaceUuid, log)).toBeUndefined()
    expect(await findCaller(db, 'nonsense', '')).toBeUndefined()
    expect(await isLiveSid(db, 'nonsense')).toBe(false)
  })

  it('that was derived, with the one from which it was made', async () => {
    const { caller, place, person } = await makePlace()
    const study = await makeStudy(db, place)
    const derivedSid = `derived ${randomUUID()}`
    await derive(caller, derivedSid, [study.uuid])
    expect([...((await callerOf({ sid: derivedSid })).derivedStudies ?? [])]).toEqual([study.uuid])
    expect(await isLiveSid(db, derivedSid)).toBe(false)
    expect(await findMinutesLeft(db, digestOf(derivedSid))).toBeUndefined()
    await run(
      `update session set last_used = now() - make_interval(mins => idle_minutes) where uuid = '${caller.sessionUuid}'`,
    )
    expect(await findCaller(db, derivedSid, '')).toBeUndefined()
    await run(`update session set last_used = now(), expires_at = now() where uuid = '${caller.sessionUuid}'`)
    expect(await findCaller(db, derivedSid, '')).toBeUndefined()
    expect(await findCaller(db, person.sid, '')).toBeUndefined()
  })

  it('later when it is used, but not by what only looks', async () => {
    const { person, caller } = await makePlace()
    const age = () =>
      run(`update session set last_used = now() - interval '90 minutes' where uuid = '${caller.sessionUuid}'`)
    await age()
    await findCaller(db, person.sid, '', { isPoll: true })
    await findCallerAgain(db, caller)
    await isLiveSid(db, person.sid)
    expect(await findMinutesLeft(db, digestOf(person.sid))).toBe(90)
    await findCaller(db, person.sid, '')
    expect(await findMinutesLeft(db, digestOf(person.sid))).toBe(180)
  })

  it('no later by a use within the same minute', async () => {
    const { person, caller } = await makePlace()
    await run(
      `update session set last_used = now() - interval '30 seconds', idle_minutes = 1 where uuid = '${caller.sessionUuid}'`,
    )
    await findCaller(db, person.sid, '')
    const { rows } = await sql<{ age: number }>`
      select extract(epoch from now() - last_used)::integer as age from session where uuid = ${caller.sessionUuid}
    `.execute(db)
    expect(rows[0]?.age).toBeGreaterThanOrEqual(29)
  })
})

async function derive(caller: Caller, sid: string, studies: string[]): Promise<void> {
  await sql`
    insert into session (uuid, sid_digest, user_uuid, idle_minutes, expires_at, parent_uuid, studies)
    values (${randomUUID()}, ${digestOf(sid)}, ${caller.userUuid}, 60, now() + interval '1 hour', ${caller.sessionUuid},
      ${studies}::uuid[])
  `.execute(db)
}
