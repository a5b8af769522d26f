import { randomUUID } from 'node:crypto'
import type { AnyCall, Subject } from '@hilum/contract/call'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { makeLink } from '../../test/make-link.ts'
import { makeStudy } from '../../test/make-organisation.ts'
import type { Caller } from './caller.ts'
import { resolveSubject } from './resolve-subject.ts'
import { openStudyRecord, type StudyKey } from './study-access.ts'

const { db, callerOf, makePlace, run } = await startAccess()

const notFound = { code: 'NOT_FOUND' }
const notPermitted = { code: 'NOT_PERMITTED' }
const resolve = (caller: Caller, on: Subject, input: Record<string, unknown>) =>
  resolveSubject(db, { on, errors: [] } as unknown as AnyCall, caller, input)
type Place = Awaited<ReturnType<typeof makePlace>>
const belongTo = (userUuid: string, { organisation }: Place, role: string) =>
  run(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${organisation.accountUuid}', '${userUuid}', '${organisation.roles.get(role)}')`)

describe('a person', () => {
  const on: Subject = { kind: 'user', by: ['user_id'], may: 'administerUsers' }
  const open = (caller: Caller, userUuid: string) => resolve(caller, on, { user_id: userUuid })

  it('is found by administrators of an account that the person belongs to, disabled or not', async () => {
    const { organisation, person, caller } = await makePlace('Administrator')
    const other = await organisation.addPerson()
    const places = [expect.objectContaining({ kind: 'account', ownerUuid: organisation.accountUuid })]
    expect(await open(caller, other.userUuid)).toEqual({ userUuid: other.userUuid, places })
    await run(`update account_user set disabled = true where user_uuid = '${other.userUuid}'`)
    expect(await open(caller, other.userUuid)).toEqual({ userUuid: other.userUuid, places })
    for (const unknown of [randomUUID(), (await makePlace()).person.userUuid])
      await expect(open(caller, unknown)).rejects.toMatchObject(notFound)
    await run(`update account_user set disabled = true where user_uuid = '${person.userUuid}'`)
    await expect(open(await callerOf(person), other.userUuid)).rejects.toMatchObject(notFound)
  })

  it('is nobody’s business who administers nobody, whether there or not', async () => {
    const { person, caller } = await makePlace()
    for (const one of [person.userUuid, randomUUID()])
      await expect(open(caller, one)).rejects.toMatchObject(notPermitted)
  })

  it('of several accounts is acted on in those alone that the caller administers', async () => {
    const [north, south] = [await makePlace('Administrator'), await makePlace()]
    await belongTo(north.person.userUuid, south, 'Clinician')
    const caller = await callerOf(north.person)
    await expect(open(caller, south.person.userUuid)).rejects.toMatchObject(notPermitted)
    await belongTo(south.person.userUuid, north, 'Clinician')
    const places = [expect.objectContaining({ ownerUuid: north.organisation.accountUuid })]
    expect(await open(caller, south.person.userUuid)).toEqual({ userUuid: south.person.userUuid, places })
  })
})

describe('a link', () => {
  it('stands for the record that it shows, for people who may see that', async () => {
    const { organisation, person, place, caller } = await makePlace()
    const { uuid } = await makeStudy(db, place)
    const link = await makeLink(db, {
      accountUuid: organisation.accountUuid,
      createdBy: person.userUuid,
      studies: [{ uuid, phi_namespace: place.namespaceUuid }],
    })
    const on: Subject = { kind: 'link', by: ['uuid'], may: 'viewStudy', mayInPlace: 'requestStudy' }
    expect(await resolve(caller, on, { uuid: link })).toMatchObject({ kind: 'study', access: { record: { uuid } } })
    await expect(resolve(caller, on, { uuid: randomUUID() })).rejects.toMatchObject(notFound)
    await expect(resolve((await makePlace()).caller, on, { uuid: link })).rejects.toMatchObject(notFound)
    await expect(resolve(caller, { ...on, may: 'deleteStudy' }, { uuid: link })).rejects.toMatchObject(notPermitted)
  })
})

describe('a record that is named in several ways', () => {
  const open = (caller: Caller, key: StudyKey) => openStudyRecord(db, caller, key, 'viewStudy')

  it('is the one that all of them name, or none', async () => {
    const { caller, place } = await makePlace()
    const [{ uuid, study_uid }, other] = [await makeStudy(db, place), await makeStudy(db, place)]
    const [here, elsewhere] = [place.namespaceUuid, randomUUID()]
    const own = { uuid, study_uid, phi_namespace: here, storage_namespace: here }
    for (const key of [own, { uuid, study_uid }, { uuid, phi_namespace: here }, { uuid, storage_namespace: here }])
      expect((await open(caller, key)).record.uuid).toBe(uuid)
    for (const wrong of [
      { study_uid: other.study_uid },
      { phi_namespace: elsewhere },
      { storage_namespace: elsewhere },
    ]) {
      await expect(open(caller, { uuid, ...wrong })).rejects.toMatchObject(notFound)
      await expect(open(caller, { ...own, ...wrong })).rejects.toMatchObject(notFound)
    }
  })

  it('may be named by each place that stores its images', async () => {
    const [sender, reader] = [await makePlace(), await makePlace()]
    const { study_uid } = await makeStudy(db, sender.place)
    const { uuid } = await makeStudy(db, reader.place)
    await run(`update study set study_uid = '${study_uid}' where uuid = '${uuid}'`)
    const key = { uuid, storage_namespace: sender.place.namespaceUuid }
    await expect(open(reader.caller, key)).rejects.toMatchObject(notFound)
    await run(`insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
      values ('${reader.place.namespaceUuid}', '${uuid}', '${sender.place.namespaceUuid}', 1)`)
    expect((await open(reader.caller, key)).record.uuid).toBe(uuid)
  })

  it('by two parameters that differ is refused with the name of the second', async () => {
    const { caller, place } = await makePlace()
    const [{ uuid }, other] = [await makeStudy(db, place), await makeStudy(db, place)]
    const on: Subject = { kind: 'study', by: ['study_id', 'uuid'], may: 'viewStudy' }
    expect(await resolve(caller, on, { study_id: uuid, uuid })).toMatchObject({ record: { uuid } })
    await expect(resolve(caller, on, { study_id: uuid, uuid: other.uuid })).rejects.toMatchObject({
      code: 'INVALID_FIELD',
      detail: { subtype: 'uuid' },
    })
  })
})
