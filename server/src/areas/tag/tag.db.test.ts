import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

async function makePlace() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  return { group, person, study, sid: person.sid, on: { object: 'Study', object_id: study.uuid } }
}
const tagsOf = async (sid: string, uuid: string) => (await call('study/get', { sid, uuid })).body.tags

it('[API-19][TAG-01][TAG-03] adds a tag by GET, keeps it once whatever its case, and takes it off', async () => {
  const { sid, study, on } = await makePlace()
  expect((await call('tag/add', { sid, ...on, tag: ' Urgent ' }, { method: 'GET' })).body).toEqual({ status: 'OK' })
  await call('tag/add', { sid, ...on, tag: 'urgent' })
  await call('tag/add', { sid, ...on, tag: 'Über Nacht' })
  expect(await tagsOf(sid, study.uuid)).toEqual(['Urgent', 'Über Nacht'])
  await call('tag/delete', { sid, ...on, tag: 'URGENT' }, { method: 'GET' })
  expect(await tagsOf(sid, study.uuid)).toEqual(['Über Nacht'])
})

it('[TAG-01] puts a change of tags into the history', async () => {
  const { sid, study, on } = await makePlace()
  await call('tag/add', { sid, ...on, tag: 'Urgent' })
  await call('tag/add', { sid, ...on, tag: 'Urgent' })
  const { events } = (await call('audit/object', { sid, uuid: study.uuid })).body
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ action: 'EDIT', type: 'Study', detail: { tags: ['', 'Urgent'] } })
})

it('[TAG-02][ENTITY-12][API-19] suggests the tags of the own groups, the most used first, a page of them', async () => {
  const { group, person, sid, on } = await makePlace()
  const second = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  await call('tag/add', { sid, ...on, tag: 'Trauma' })
  await call('tag/add', { sid, ...on, tag: 'transfer' })
  await call('tag/add', { sid, object: 'Study', object_id: second.uuid, tag: 'transfer' })
  const other = await makePlace()
  await call('tag/add', { sid: other.sid, ...other.on, tag: 'Tracheostomy' })
  const ask = async (more: object) =>
    (await call('tag/list', { sid, object: 'Study', 'filter.tag.like': 'TRA%', 'page.rows': 25, ...more })).body
  expect(await ask({})).toEqual({
    status: 'OK',
    tags: [
      { tag: 'transfer', object: 'Study', count: 2 },
      { tag: 'Trauma', object: 'Study', count: 1 },
    ],
    page: { more: 0, rows: 25, number: 1, total: 2 },
  })
  expect((await ask({ 'page.rows': 1 })).page.more).toBe(1)
  expect((await ask({ sort_by: 'tag-desc' })).tags[0].tag).toBe('Trauma')
  expect((await ask({ 'filter.namespace_id.equals': person.namespaceUuid })).tags).toEqual([])
  await call('tag/delete', { sid, ...on, tag: 'Trauma' })
  expect((await ask({})).tags.map((one: { tag: string }) => one.tag)).toEqual(['transfer'])
})

it('suggests tags that came with a study in whatever way', async () => {
  const { sid, study } = await makePlace()
  await query(`update study set tags = '{Received}' where uuid = '${study.uuid}'`)
  expect((await call('tag/list', { sid, object: 'Study' })).body.tags).toEqual([
    { tag: 'Received', object: 'Study', count: 1 },
  ])
})

it('[TAG-02] suggests no tag that only deleted studies have, and the tag again once one is restored', async () => {
  const { sid, study, on } = await makePlace()
  const other = await makePlace()
  await call('tag/add', { sid, ...on, tag: 'Son of Dr. Varga' })
  await call('tag/add', { sid: other.sid, ...other.on, tag: 'Son of Dr. Varga' })
  const tags = async () =>
    (await call('tag/list', { sid, object: 'Study' })).body.tags.map((one: { tag: string }) => one.tag)
  expect(await tags()).toEqual(['Son of Dr. Varga'])
  await query(`update study set deleted_at = now() where uuid = '${study.uuid}'`)
  expect(await tags()).toEqual([])
  await query(`update study set deleted_at = null where uuid = '${study.uuid}'`)
  expect(await tags()).toEqual(['Son of Dr. Varga'])
})

it('[SEARCH-05] finds studies by any of several tags', async () => {
  const { sid, study, on } = await makePlace()
  await call('tag/add', { sid, ...on, tag: 'Trauma' })
  const found = await call('study/list', { sid, 'filter.tags.in': '["Trauma","Other"]' })
  expect(found.body.studies.map((one: { uuid: string }) => one.uuid)).toEqual([study.uuid])
})

it('[SEARCH-05] finds a tag as it is added: whatever its case and accents, in a saved search too', async () => {
  const { group, sid, study, on } = await makePlace()
  const second = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  const third = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  await call('tag/add', { sid, ...on, tag: 'Größe 1' })
  await call('tag/add', { sid, object: 'Study', object_id: second.uuid, tag: 'GROSSE 1' })
  await call('tag/add', { sid, object: 'Study', object_id: third.uuid, tag: 'Größe 10' })
  const both = [study.uuid, second.uuid].toSorted()
  const ask = async (filter: object) => {
    const [list, count] = [await call('study/list', { sid, ...filter }), await call('study/count', { sid, ...filter })]
    const uuids = list.body.studies.map((one: { uuid: string }) => one.uuid).toSorted()
    expect(count.body.count).toBe(uuids.length)
    return uuids
  }
  expect(await ask({ 'filter.tags.in': '["grösse 1"]' })).toEqual(both)
  expect(await ask({ 'filter.tags.equals': 'GRÖSSE  1' })).toEqual(both)
  expect(await ask({ 'filter.tags.in': '["nobody"]' })).toEqual([])
  const saved = { name: 'Mine', type: 'Study', account_id: organisation.accountUuid }
  const configuration = { 'filter.tags.in': ['gröSSe 1'] }
  const { uuid: filter_id } = (await call('filter/add', { sid, ...saved, configuration })).body
  expect(await ask({ filter_id })).toEqual(both)
  expect((await call('study/list', { sid, 'filter.tags.like': 'g%' })).body.error_type).toBe('INVALID_CONDITION')
})

it('refuses no session, missing fields, other objects, and tags that are none', async () => {
  const { sid, on } = await makePlace()
  expect((await call('tag/add', { ...on, tag: 'a' })).status).toBe(401)
  expect((await call('tag/add', { sid, object: 'Study' })).body).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: ['tag', 'object_id'],
  })
  expect((await call('tag/list', { sid, object: 'Elephant' })).body.error_type).toBe('INVALID_OBJECT')
  for (const tag of ['   ', 'x'.repeat(101), 'a\u0007b', 'a\u0000']) {
    expect((await call('tag/add', { sid, ...on, tag })).body.error_type).toBe('INVALID_FIELD')
  }
})

it('[PERM-15] refuses who may not tag, and does not find what the caller may not see', async () => {
  const { group, on, study, sid } = await makePlace()
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const outsider = await organisation.addPerson()
  for (const path of ['tag/add', 'tag/delete']) {
    expect((await call(path, { sid: viewer.sid, ...on, tag: 'a' })).body.error_type).toBe('NOT_PERMITTED')
    expect((await call(path, { sid: outsider.sid, ...on, tag: 'a' })).body.error_type).toBe('NOT_FOUND')
    expect((await call(path, { sid, ...on, object_id: randomUUID(), tag: 'a' })).body.error_type).toBe('NOT_FOUND')
  }
  await query(`update study set deleted_at = now() where uuid = '${study.uuid}'`)
  const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
  expect((await call('tag/add', { sid: staff.sid, ...on, tag: 'a' })).body.error_type).toBe('NOT_FOUND')
})

it('[API-36] works in a bundle', async () => {
  const { sid, on } = await makePlace()
  const items = ['one', 'two'].map((tag) => ({ URL: '/tag/add', sid, ...on, tag }))
  const { body } = await call('bundle', {}, { body: [...items, { URL: '/tag/list', sid, object: 'Study' }] })
  expect(body).toMatchObject([
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { tags: [{ tag: 'one' }, { tag: 'two' }] },
  ])
})
