import type { Act } from '@hilum/contract/acts'
import type { Permission } from '@hilum/contract/permissions'
import { describe, expect, it } from 'vitest'
import { madeCaller, madeMembership } from '../../test/made-caller.ts'
import { openNamespace } from './storage-access.ts'
import { actorOf } from './caller.ts'
import { isSameAccess, seeRecord, type StudyAccess } from './study-access.ts'
import type { StudyRecord } from './study-record.sql.ts'
import { visibleStudies } from './study-scope.ts'

const place = 'c0ffee00-0000-4000-8000-000000000001'
const record = { uuid: 'study', phi_namespace: place, must_approve: false, deleted: false } as StudyRecord
const callerWith = (...held: Permission[]) =>
  madeCaller([madeMembership('elsewhere', ['study_approve', 'study_delete']), madeMembership(place, held)])

describe('a record', () => {
  it('is seen by members of its namespace, with what their role there allows', async () => {
    expect(await seeRecord(callerWith('study_edit'), record)).toMatchObject({
      record,
      membership: { namespaceUuid: place },
      permissions: new Set(['study_edit']),
    })
    expect(await seeRecord(madeCaller([]), record)).toBeUndefined()
    expect(await seeRecord(callerWith('study_view'), { ...record, phi_namespace: 'foreign' })).toBeUndefined()
  })

  it('that waits for approval is seen by people who approve, in its own namespace', async () => {
    const waiting = { ...record, must_approve: true }
    expect(await seeRecord(callerWith('study_view'), waiting)).toBeUndefined()
    expect(await seeRecord(callerWith('study_view', 'study_approve'), waiting)).toBeDefined()
    expect(await seeRecord(callerWith('study_approve'), record)).toBeDefined()
  })

  it('that is deleted is seen by people who may delete', async () => {
    const deleted = { ...record, deleted: true }
    expect(await seeRecord(callerWith('study_view', 'study_approve'), deleted)).toBeUndefined()
    expect(await seeRecord(callerWith('study_delete'), deleted)).toBeDefined()
  })

  it('that was shared is seen for as long as one of its sources is there', async () => {
    const caller = callerWith('study_view')
    expect(await seeRecord(caller, { ...record, is_shared: true, sources: ['place/1'] })).toBeDefined()
    expect(await seeRecord(caller, { ...record, is_shared: true, sources: [] })).toBeUndefined()
    expect(await seeRecord(caller, { ...record, is_shared: false, sources: [] })).toBeDefined()
  })

  it('is an upload of one’s own where one began it, and nobody shared it', async () => {
    const caller = callerWith('study_view')
    const isOwn = async (given: Partial<StudyRecord>) =>
      (await seeRecord(caller, { ...record, sources: ['place/1'], ...given }))?.facts.has('ownUpload')
    expect(await isOwn({ is_shared: false, created_by: actorOf(caller) })).toBe(true)
    expect(await isOwn({ is_shared: true, created_by: actorOf(caller) })).toBe(false)
    expect(await isOwn({ is_shared: false, created_by: 'somebody else' })).toBe(false)
  })

  it('that was opened is the same while it is there with all the sources that it showed', () => {
    const opened = (uuid: string, ...sources: string[]) => ({ record: { ...record, uuid, sources } }) as StudyAccess
    const before = opened('study', 'a/1', 'b/1')
    expect(isSameAccess(before, opened('study', 'c/1', 'b/1', 'a/1'))).toBe(true)
    expect(isSameAccess(before, opened('study', 'a/1'))).toBe(false)
    expect(isSameAccess(before, opened('other', 'a/1', 'b/1'))).toBe(false)
    expect(isSameAccess(before, undefined)).toBe(false)
  })

  it('is seen in a derived session only when the session names it', async () => {
    const membership = madeMembership(place, ['study_view'])
    const derived = (...studies: string[]) => madeCaller([membership], { derivedStudies: new Set(studies) })
    expect(await seeRecord(derived('study'), record)).toBeDefined()
    expect(await seeRecord(derived('other'), record)).toBeUndefined()
  })
})

describe('the scope of a list', () => {
  const caller = madeCaller([
    madeMembership('reading', ['study_view']),
    madeMembership('browsing', ['study_browse', 'study_approve']),
    madeMembership('deleting', ['study_view', 'study_delete']),
    madeMembership('uploading', ['study_upload', 'study_approve', 'study_delete']),
  ])

  it('is the namespaces whose studies the caller may read', async () => {
    const scope = await visibleStudies(caller)
    expect(scope.namespaces.map((one) => one.namespaceUuid)).toEqual(['reading', 'browsing', 'deleting'])
    expect([...scope.approving]).toEqual(['browsing'])
    expect([...scope.deleting]).toEqual(['deleting'])
    expect(scope).not.toHaveProperty('onlyStudies')
  })

  it('is narrowed by a derived session to the studies that it names', async () => {
    const derived = { ...caller, derivedStudies: new Set(['study']) }
    expect([...((await visibleStudies(derived)).onlyStudies ?? [])]).toEqual(['study'])
  })
})

describe('a namespace to write into', () => {
  const open = (namespaceUuid: string, act: Act, caller = callerWith('study_upload')) =>
    openNamespace(caller, namespaceUuid, act)

  it('is opened for members who hold one of what it takes, however its uuid is written', async () => {
    expect((await open(place, 'uploadStudy')).namespaceUuid).toBe(place)
    expect((await open(place.toUpperCase(), 'lockStudy')).namespaceUuid).toBe(place)
    expect((await open(place, 'enterPlace')).namespaceUuid).toBe(place)
  })

  it('is closed to everybody else in the same words', async () => {
    const denied = { code: 'ACCESS_DENIED' }
    await expect(open('foreign', 'uploadStudy')).rejects.toMatchObject(denied)
    await expect(open(place, 'editStudy')).rejects.toMatchObject(denied)
    await expect(open(place, 'editStudy', madeCaller([]))).rejects.toMatchObject(denied)
  })

  it('is closed to derived sessions, which only read', async () => {
    const derived = madeCaller([madeMembership(place, ['study_upload'])], { derivedStudies: new Set(['study']) })
    await expect(open(place, 'uploadStudy', derived)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})
