import { randomUUID } from 'node:crypto'
import { studyGet } from '@hilum/contract/calls/study'
import type { AnyCall, Subject } from '@hilum/contract/call'
import type { Act } from '@hilum/contract/acts'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { makeStudy } from '../../test/make-organisation.ts'
import type { Caller } from './caller.ts'
import { openDicomwebScope, openDicomwebStudy } from './dicomweb-access.ts'
import { resolveSubject } from './resolve-subject.ts'
import { openStudy } from './storage-access.ts'
import { openStudyRecord, type StudyKey } from './study-access.ts'
import { listRecordsByUuid } from './study-record.sql.ts'

const { db, services, callerOf, makePlace, run } = await startAccess()

const notFound = { code: 'NOT_FOUND' }
const notPermitted = { code: 'NOT_PERMITTED' }
const denied = { code: 'ACCESS_DENIED' }

describe('a record that a call names', () => {
  const open = (caller: Caller, key: StudyKey, act: Act = studyGet.on.may, deletedToo = false) =>
    openStudyRecord(db, caller, key, act, deletedToo)

  it('is found by uuid, or by study and namespace', async () => {
    const { caller, place } = await makePlace()
    const { uuid, study_uid } = await makeStudy(db, place)
    const namespace = place.namespaceUuid
    const keys: StudyKey[] = [
      { uuid },
      { study_uid, phi_namespace: namespace },
      { study_uid, storage_namespace: namespace },
      { study_uid, storage_namespace: namespace, phi_namespace: namespace },
    ]
    for (const key of keys) expect((await open(caller, key)).record).toMatchObject({ uuid, study_uid, deleted: false })
    const absent: StudyKey[] = [
      { uuid: randomUUID() },
      { study_uid: '1.2', phi_namespace: namespace },
      { study_uid, phi_namespace: randomUUID() },
      { study_uid, phi_namespace: namespace, storage_namespace: randomUUID() },
    ]
    for (const key of absent) await expect(open(caller, key)).rejects.toMatchObject(notFound)
  })

  it('is asked for by what is missing', async () => {
    const { caller } = await makePlace()
    const missing = (...subtype: string[]) => ({ code: 'MISSING_FIELDS', detail: { subtype } })
    await expect(open(caller, {})).rejects.toMatchObject(missing('uuid'))
    await expect(open(caller, { study_uid: '1.2' })).rejects.toMatchObject(missing('storage_namespace'))
    await expect(open(caller, { storage_namespace: randomUUID() })).rejects.toMatchObject(missing('study_uid'))
    await expect(open(caller, { phi_namespace: randomUUID() })).rejects.toMatchObject(missing('uuid'))
  })

  it('of a foreign place is answered like none, and without the right refused', async () => {
    const { place, organisation, group } = await makePlace()
    const { uuid } = await makeStudy(db, place)
    await expect(open((await makePlace()).caller, { uuid })).rejects.toMatchObject(notFound)
    const uploader = await callerOf(await organisation.addPerson({ role: 'Uploader', groups: [group] }))
    await expect(open(uploader, { uuid })).rejects.toMatchObject(notPermitted)
    expect((await open(uploader, { uuid }, 'enterPlace')).record.uuid).toBe(uuid)
  })

  it('that was deleted is there only for calls about deleted ones, the last one first', async () => {
    const { caller, place } = await makePlace('Administrator')
    const { uuid, study_uid } = await makeStudy(db, place)
    const namespace = place.namespaceUuid
    const key = { study_uid, phi_namespace: namespace }
    await run(`update study set deleted_at = now() - interval '1 day' where uuid = '${uuid}'`)
    await expect(openStudyRecord(db, caller, { uuid }, 'enterPlace')).rejects.toMatchObject(notFound)
    await expect(open(caller, key)).rejects.toMatchObject(notFound)
    for (const one of [{ uuid }, key]) {
      expect((await open(caller, one, studyGet.on.may, true)).record).toMatchObject({ uuid, deleted: true })
    }
    const later = await makeStudy(db, place)
    await run(`update study set study_uid = '${study_uid}', deleted_at = now() where uuid = '${later.uuid}'`)
    expect((await open(caller, key, 'enterPlace', true)).record.uuid).toBe(later.uuid)
    const live = await makeStudy(db, place)
    await run(`update study set study_uid = '${study_uid}' where uuid = '${live.uuid}'`)
    expect((await open(caller, key, 'enterPlace', true)).record.uuid).toBe(live.uuid)
    const clinician = await makePlace()
    const foreign = await makeStudy(db, clinician.place)
    await run(`update study set deleted_at = now() where uuid = '${foreign.uuid}'`)
    await expect(open(clinician.caller, { uuid: foreign.uuid }, 'enterPlace', true)).rejects.toMatchObject(notFound)
  })

  it('are listed by uuid, several at once', async () => {
    const { place } = await makePlace()
    const made = [await makeStudy(db, place), await makeStudy(db, place)]
    const found = await listRecordsByUuid(db, [...made.map((one) => one.uuid), randomUUID()])
    expect(found.map((one) => one.uuid)).toEqual(made.map((one) => one.uuid).toSorted())
  })
})

describe('whom a call acts on', () => {
  const resolve = (caller: Caller, on: Subject, input: Record<string, unknown> = {}, errors: string[] = []) =>
    resolveSubject(db, { on, errors } as unknown as AnyCall, caller, input)

  it('is nobody in particular, the caller, or all studies that the caller may read', async () => {
    const { caller, group } = await makePlace()
    expect(await resolve(caller, { kind: 'anyone' })).toBeUndefined()
    expect(await resolve(caller, { kind: 'caller' })).toBeUndefined()
    const scope = await resolve(caller, { kind: 'studies' })
    expect(scope).toMatchObject({
      namespaces: expect.arrayContaining([expect.objectContaining({ namespaceUuid: group.namespaceUuid })]),
    })
  })

  it('is a study by each of the names that the call has for it', async () => {
    const { caller, place } = await makePlace()
    const { uuid, study_uid } = await makeStudy(db, place)
    const on: Subject = { kind: 'study', by: ['study_id', 'uuid'], may: 'viewStudy' }
    const triplet = { study_uid, storage_namespace: place.namespaceUuid, phi_namespace: place.namespaceUuid }
    for (const input of [{ uuid }, { study_id: uuid }, { study_id: '', uuid }, { uuid: 7, ...triplet }, triplet]) {
      expect(await resolve(caller, on, input)).toMatchObject({ record: { uuid } })
    }
    const [here, elsewhere] = [place.namespaceUuid, randomUUID()]
    expect(await resolve(caller, on, { study_uid, phi_namespace: here })).toMatchObject({ record: { uuid } })
    for (const places of [
      { phi_namespace: here, storage_namespace: elsewhere },
      { phi_namespace: elsewhere, storage_namespace: here },
    ])
      await expect(resolve(caller, on, { study_uid, ...places })).rejects.toMatchObject(notFound)
    await run(`update study set deleted_at = now() where uuid = '${uuid}'`)
    await expect(resolve(caller, on, { uuid })).rejects.toMatchObject(notFound)
    const administrator = await makePlace('Administrator')
    const deleted = await makeStudy(db, administrator.place)
    await run(`update study set deleted_at = now() where uuid = '${deleted.uuid}'`)
    expect(await resolve(administrator.caller, { ...on, deletedToo: true }, { uuid: deleted.uuid })).toMatchObject({
      record: { uuid: deleted.uuid },
    })
  })

  it('is an account, by its uuid or by a thing that belongs to it', async () => {
    const { organisation, group } = await makePlace()
    const administrator = await callerOf(await organisation.addPerson({ role: 'Administrator', groups: [group] }))
    const clinician = await callerOf(await organisation.addPerson())
    const account = organisation.accountUuid
    const on: Subject = { kind: 'account', by: ['account_id'], may: 'administerAccount' }
    expect(await resolve(administrator, on, { account_id: account })).toMatchObject({
      kind: 'account',
      ownerUuid: account,
    })
    await expect(resolve(administrator, on, { account_id: group.groupUuid })).rejects.toMatchObject(notFound)
    await expect(resolve(clinician, on, { account_id: account })).rejects.toMatchObject(notPermitted)
    await expect(resolve((await makePlace()).caller, on, { account_id: account })).rejects.toMatchObject(notFound)
    await expect(resolve(administrator, on)).rejects.toMatchObject({
      code: 'MISSING_FIELDS',
      detail: { subtype: ['account_id'] },
    })
    await expect(resolve(administrator, { ...on, by: [] })).rejects.toMatchObject({ detail: { subtype: ['uuid'] } })
    const field = randomUUID()
    await run(
      `insert into customfield (uuid, account_uuid, name, object, type) values ('${field}', '${account}', 'Ward', 'Study', 'text')`,
    )
    const byField: Subject = { ...on, by: ['uuid'], owner: 'customfield' }
    expect(await resolve(administrator, byField, { uuid: field })).toMatchObject({ ownerUuid: account })
    await expect(resolve(administrator, byField, { uuid: randomUUID() })).rejects.toMatchObject(notFound)
    await expect(resolve(administrator, byField, { uuid: account })).rejects.toMatchObject(notFound)
  })

  it('is a namespace that the caller belongs to, and says which error an unknown one is', async () => {
    const { caller, place } = await makePlace()
    const on: Subject = { kind: 'namespace', by: ['phi_namespace', 'storage_namespace'], may: 'uploadStudy' }
    const named = { storage_namespace: place.namespaceUuid }
    expect(await resolve(caller, on, named)).toMatchObject({ namespaceUuid: place.namespaceUuid })
    const unknown = { phi_namespace: randomUUID() }
    await expect(resolve(caller, on, unknown)).rejects.toMatchObject(notFound)
    await expect(resolve(caller, on, unknown, ['NAMESPACE_NOT_FOUND'])).rejects.toMatchObject({
      code: 'NAMESPACE_NOT_FOUND',
    })
    await expect(resolve(caller, { ...on, may: 'administerAccount' }, named)).rejects.toMatchObject(notPermitted)
  })

  it('is a group, for its members and for people who see all groups of the account', async () => {
    const { organisation, group, place, caller } = await makePlace()
    const on: Subject = { kind: 'group', by: ['uuid'], may: 'seeGroup' }
    const uuid = group.groupUuid
    expect(await resolve(caller, on, { uuid })).toMatchObject({
      groupUuid: uuid,
      accountUuid: place.accountUuid,
      membership: { ownerUuid: uuid },
    })
    await expect(resolve(caller, { ...on, may: 'administerGroups' }, { uuid })).rejects.toMatchObject(notPermitted)
    const administrator = await callerOf(await organisation.addPerson({ role: 'Administrator' }))
    expect(await resolve(administrator, { ...on, may: 'administerGroups' }, { uuid })).toEqual({
      groupUuid: uuid,
      kind: 'group',
      accountUuid: place.accountUuid,
      membership: undefined,
      account: expect.objectContaining({ kind: 'account', ownerUuid: place.accountUuid }),
    })
    const outside = await callerOf(await organisation.addPerson())
    await expect(resolve(outside, on, { uuid })).rejects.toMatchObject(notFound)
    await expect(resolve((await makePlace('Administrator')).caller, on, { uuid })).rejects.toMatchObject(notFound)
    await expect(resolve(administrator, on, { uuid: randomUUID() })).rejects.toMatchObject(notFound)
    await expect(resolve(administrator, on, { uuid: place.accountUuid })).rejects.toMatchObject(notFound)
  })
})

describe('a stored study', () => {
  it('is opened through a record of any namespace that the caller belongs to', async () => {
    const { caller, place } = await makePlace()
    const { uuid, study_uid: studyUid } = await makeStudy(db, place)
    const storageNamespace = place.namespaceUuid
    for (const phiNamespace of [undefined, storageNamespace, storageNamespace.toUpperCase()]) {
      const opened = await openStudy(services, caller, { storageNamespace, studyUid, phiNamespace })
      expect(opened.record.uuid).toBe(uuid)
      expect(opened.record.sources).toEqual([`${storageNamespace}/1`])
    }
  })

  it('is opened where it was shared to, under the namespace that stores it', async () => {
    const [sender, reader] = [await makePlace(), await makePlace()]
    const { study_uid: studyUid } = await makeStudy(db, sender.place)
    const copy = await makeStudy(db, reader.place)
    await run(`update study set study_uid = '${studyUid}' where uuid = '${copy.uuid}'`)
    const key = { storageNamespace: sender.place.namespaceUuid, studyUid }
    await expect(openStudy(services, reader.caller, key)).rejects.toMatchObject(denied)
    await run(`insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
      values ('${reader.place.namespaceUuid}', '${copy.uuid}', '${sender.place.namespaceUuid}', 3)`)
    for (const phiNamespace of [undefined, reader.place.namespaceUuid]) {
      const { record } = await openStudy(services, reader.caller, { ...key, phiNamespace })
      expect(record.uuid).toBe(copy.uuid)
      expect(record.sources.toSorted()).toEqual(
        [`${reader.place.namespaceUuid}/1`, `${sender.place.namespaceUuid}/3`].toSorted(),
      )
    }
  })

  it('is refused to strangers like an unknown namespace; members learn that it is not there', async () => {
    const { caller, place } = await makePlace()
    const { study_uid: studyUid } = await makeStudy(db, place)
    const storageNamespace = place.namespaceUuid
    const stranger = (await makePlace()).caller
    await expect(openStudy(services, stranger, { storageNamespace, studyUid })).rejects.toMatchObject(denied)
    const unknown = [
      { storageNamespace: randomUUID(), studyUid },
      { storageNamespace: '-'.repeat(36), studyUid },
      { storageNamespace, studyUid, phiNamespace: '-'.repeat(36) },
      { storageNamespace, studyUid, phiNamespace: randomUUID() },
    ]
    for (const key of unknown) await expect(openStudy(services, caller, key)).rejects.toMatchObject(denied)
    const absent = (uid: string) => ({ code: 'STUDY_NOT_FOUND', data: { study_uid: uid } })
    for (const key of [
      { storageNamespace: storageNamespace.toUpperCase() },
      { storageNamespace, phiNamespace: storageNamespace },
    ]) {
      await expect(openStudy(services, caller, { ...key, studyUid: '1.2' })).rejects.toMatchObject(absent('1.2'))
    }
    await run(`update study set deleted_at = now() where study_uid = '${studyUid}'`)
    await expect(openStudy(services, caller, { storageNamespace, studyUid })).rejects.toMatchObject(absent(studyUid))
    const derived = { ...caller, derivedStudies: new Set<string>() }
    await expect(openStudy(services, derived, { storageNamespace, studyUid })).rejects.toMatchObject(denied)
  })

  it('is refused where the record is seen and the right is missing, unless another record gives it', async () => {
    const { organisation, group, place } = await makePlace()
    const { uuid, study_uid: studyUid } = await makeStudy(db, place)
    const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
    const key = { storageNamespace: place.namespaceUuid, studyUid }
    await expect(openStudy(services, await callerOf(uploader), key)).rejects.toMatchObject(denied)
    expect((await openStudy(services, await callerOf(uploader), key, 'uploadStudy')).record.uuid).toBe(uuid)
    const own = { namespaceUuid: uploader.namespaceUuid, accountUuid: place.accountUuid }
    const copy = await makeStudy(db, own)
    await run(
      `update study set study_uid = '${studyUid}', storage_namespace = '${place.namespaceUuid}' where uuid = '${copy.uuid}'`,
    )
    await run(`update study_source set storage_namespace = '${place.namespaceUuid}' where study_uuid = '${copy.uuid}'`)
    expect((await openStudy(services, await callerOf(uploader), key)).record.uuid).toBe(copy.uuid)
  })
})

describe('an address of DICOMweb', () => {
  it('means one namespace of the caller, or all', async () => {
    const { caller, place } = await makePlace()
    const { uuid, study_uid } = await makeStudy(db, place)
    const namespace = place.namespaceUuid
    expect((await openDicomwebScope(caller, namespace.toUpperCase()))?.namespaces).toMatchObject([
      { namespaceUuid: namespace },
    ])
    expect((await openDicomwebScope(caller, 'all'))?.namespaces.length).toBeGreaterThan(1)
    expect(await openDicomwebScope(caller, randomUUID())).toBeUndefined()
    for (const one of [namespace, namespace.toUpperCase(), 'all']) {
      expect((await openDicomwebStudy(services, caller, one, study_uid))?.record.uuid).toBe(uuid)
    }
    expect(await openDicomwebStudy(services, caller, namespace, '1.2')).toBeUndefined()
    expect(await openDicomwebStudy(services, caller, randomUUID(), study_uid)).toBeUndefined()
    expect(await openDicomwebStudy(services, (await makePlace()).caller, 'all', study_uid)).toBeUndefined()
  })

  it('opens a study only with the right that is asked for', async () => {
    const { organisation, group, place } = await makePlace()
    const { study_uid } = await makeStudy(db, place)
    const uploader = await callerOf(await organisation.addPerson({ role: 'Uploader', groups: [group] }))
    expect(await openDicomwebStudy(services, uploader, place.namespaceUuid, study_uid)).toBeUndefined()
    expect(await openDicomwebStudy(services, uploader, place.namespaceUuid, study_uid, 'uploadStudy')).toBeDefined()
  })
})
