import { randomUUID } from 'node:crypto'
import { linkRights } from '@hilum/contract/link-rights'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { makeLink, openLink } from '../../test/make-link.ts'
import { makeStudy } from '../../test/make-organisation.ts'
import type { Caller } from './caller.ts'
import { findCaller, findCallerAgain } from './find-caller.ts'

const { db, callerOf, makePlace, run } = await startAccess()

describe('a program with a key', () => {
  /** Makes the session of an administrator one of a key. */
  async function makeKey(scope: string, onlyThere = false) {
    const made = await makePlace('Administrator')
    const only = onlyThere ? `'${made.group.namespaceUuid}'` : 'null'
    await run(`update session set method = 'key', scope = '${scope}', only_namespace = ${only}
      where uuid = '${made.caller.sessionUuid}'`)
    return { ...made, key: await callerOf(made.person) }
  }
  const held = async (caller: Caller, of: 'permissions' | 'inAccount') =>
    Object.fromEntries((await caller.memberships()).map((one) => [one.kind, [...one[of]].toSorted()]))

  it('acts as its person, but has no sysadmin’s or supporter’s rights', async () => {
    const { person, caller } = await makePlace()
    await run(`update app_user set sysadmin = true, support = true where uuid = '${person.userUuid}'`)
    expect(await callerOf(person)).toMatchObject({ kind: 'user', sysadmin: true, support: true })
    await run(`update session set method = 'key', scope = '{study_view}' where uuid = '${caller.sessionUuid}'`)
    const { userUuid } = person
    expect(await callerOf(person)).toMatchObject({ kind: 'key', userUuid, sysadmin: false, support: false })
    await run(`update app_user set sysadmin = false, support = false where uuid = '${person.userUuid}'`)
    await run(`update session set method = 'password', scope = null where uuid = '${caller.sessionUuid}'`)
    expect(await callerOf(person)).toMatchObject({ kind: 'user', sysadmin: false, support: false })
  })

  it('holds in every place of its person what its scope and the role there both have', async () => {
    const { key } = await makeKey('{study_view,study_upload}')
    const both = ['study_upload', 'study_view']
    expect(await held(key, 'permissions')).toEqual({ user: both, account: both, group: both })
    expect(await held(key, 'inAccount')).toEqual({ user: both, account: both, group: both })
  })

  it('for one place holds nothing elsewhere, nor in the account around', async () => {
    const { key } = await makeKey('{study_view}', true)
    expect(await held(key, 'permissions')).toEqual({ group: ['study_view'] })
    expect(await held(key, 'inAccount')).toEqual({ group: [] })
  })
})

describe('somebody who opened a link', () => {
  async function openOne() {
    const { organisation, person, place, group } = await makePlace()
    const [shown, other] = [await makeStudy(db, place), await makeStudy(db, place)]
    const linkUuid = await makeLink(db, {
      accountUuid: organisation.accountUuid,
      createdBy: person.userUuid,
      studies: [{ uuid: shown.uuid, phi_namespace: place.namespaceUuid }],
      permissions: linkRights,
    })
    return { linkUuid, sid: await openLink(db, linkUuid), shown, other, group, person }
  }

  it('reads its studies with its rights in their place, and is nobody', async () => {
    const { linkUuid, sid, shown, group } = await openOne()
    const caller = await findCaller(db, sid, '192.0.2.1')
    expect(caller).toMatchObject({ kind: 'link', linkUuid, name: 'Link', clientAddress: '192.0.2.1' })
    expect(caller).not.toHaveProperty('userUuid')
    expect([...(caller?.derivedStudies ?? [])]).toEqual([shown.uuid])
    const [place, ...more] = (await caller?.memberships()) ?? []
    expect(more).toEqual([])
    expect(place).toMatchObject({ namespaceUuid: group.namespaceUuid, kind: 'group', roleUuid: linkUuid })
    expect([...(place?.permissions ?? [])].toSorted()).toEqual([...linkRights].toSorted())
    expect([...(place?.inAccount ?? [])]).toEqual([])
    const again = caller && (await findCallerAgain(db, caller))
    expect(again).toMatchObject({ kind: 'link', linkUuid, sidMd5: caller?.sidMd5 })
  })

  it('stays out once the link has ended or run out, and sees what it shows at this moment', async () => {
    const { linkUuid, sid, other, group } = await openOne()
    await run(`insert into link_study (link_uuid, phi_namespace, study_uuid)
      values ('${linkUuid}', '${group.namespaceUuid}', '${other.uuid}')`)
    expect((await findCaller(db, sid, ''))?.derivedStudies?.size).toBe(2)
    await run(`delete from link_study where link_uuid = '${linkUuid}'`)
    const empty = await findCaller(db, sid, '')
    expect([empty?.derivedStudies?.size, await empty?.memberships()]).toEqual([0, []])
    await run(`update link set expires_at = now() where uuid = '${linkUuid}'`)
    expect(await findCaller(db, sid, '')).toBeUndefined()
    await run(`update link set expires_at = now() + interval '1 day', ended_at = now() where uuid = '${linkUuid}'`)
    expect(await findCaller(db, sid, '')).toBeUndefined()
    await run(`update link set ended_at = null where uuid = '${linkUuid}'`)
    expect(await findCaller(db, sid, '')).toBeDefined()
  })

  it('is told nothing of fields that its place hides', async () => {
    const { sid, group } = await openOne()
    await run(`insert into setting (scope, scope_uuid, key, value)
      values ('namespace', '${group.namespaceUuid}', 'study_field_flags', '{"study_field_patientid": "H"}')`)
    const [place] = (await (await findCaller(db, sid, ''))?.memberships()) ?? []
    expect(place?.fieldFlags).toEqual({ study_field_patientid: 'H' })
    expect(await findCaller(db, randomUUID(), '')).toBeUndefined()
  })
})
