import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it, vi } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every declared call, by an administrator of the group who asks well: a call that wrote an event has rung when it answers,
 * as browsers would hear of the change by the poll alone, seconds later.
 */

const app = await startTestApp()
const { services, call, query } = app
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
await query(`update app_group set share_code = 'RINGS' where uuid = '${group.groupUuid}'`)
const samples = makeSamples(app, 'RINGS')
const ring = vi.spyOn(services.events, 'ring')
/** Fields without which a sample of this kind touches nothing that is told of. */
const more: Partial<Record<CallName, object>> = {
  orderAdd: { namespace_id: group.namespaceUuid },
}
const wrote: string[] = []

async function placeOf(): Promise<Place> {
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const [study, own] = [
    await makeStudy(services.db, { ...group, accountUuid }),
    await makeStudy(services.db, { ...person, accountUuid }),
  ]
  return { accountUuid, ...group, studyUuid: study.uuid, ownStudyUuid: own.uuid, person }
}
const newest = async () =>
  (await query<{ id: string }>('select coalesce(max(id), 0)::text as id from event'))[0]?.id ?? ''

it.each(Object.entries(calls))('%s rings where it writes an event', async (name, { path }) => {
  const place = await placeOf()
  const sent = await samples[name as CallName](place)
  await query(
    `update imaging_order set namespace_uuid = '${group.namespaceUuid}' where account_uuid = '${accountUuid}'`,
  )
  const before = await newest()
  ring.mockClear()
  await call(path, { ...sent, ...more[name as CallName], sid: place.person.sid })
  const isWriter = (await newest()) !== before
  if (isWriter) wrote.push(path)
  expect(isWriter && ring.mock.calls.length === 0).toBe(false)
})

it('and such calls are many', () => {
  const some = ['add', 'set', 'cancel', 'delete', 'sps/add', 'sps/set', 'sps/delete', 'sps/status'].map(
    (one) => `order/${one}`,
  )
  expect(wrote).toEqual(expect.arrayContaining([...some, 'order/take', 'study/lock', 'study/share', 'tag/add']))
})
