import { describe, expect, it, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { mailLinkActs } from '../../areas/link/mail-link.job.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'
import { listTracked } from '../../areas/study/share-track.sql.ts'

/* An exam whose images name several patients: every door by which it leaves to people. */

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })
type Place = Awaited<ReturnType<typeof makePlace>>

const partner = await makeOrganisation(services.db)
await query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
  values (gen_random_uuid(), '${accountUuid}', '${partner.accountUuid}', now())`)
const coded = await partner.addGroup()
await query(`update app_group set share_code = 'MIXED-1' where uuid = '${coded.groupUuid}'`)
const location = await organisation.addGroup()
await query(`update namespace set kind = 'location' where uuid = '${location.namespaceUuid}'`)
await query(`update app_group set kind = 'location' where uuid = '${location.groupUuid}'`)
const group = await organisation.addGroup()
const reader = await organisation.addPerson()

const mix = (uuid: string) => query(`update study set mixed_patients = true where uuid = '${uuid}'`)
/** A place whose study names several patients, of the role that may give in every way. */
async function makeMixed() {
  const place = await makePlace('Administrator')
  await mix(place.uuid)
  return place
}
const refused = { error_type: 'NOT_READY', error_subtype: 'mixed_patients' }
const run = { work: 'w', signal: new AbortController().signal }
const givenOf = (uuid: string) =>
  query(`select uuid::text from share where study_uuid = '${uuid}' and state in ('scheduled', 'delivered')
    union all select link_uuid::text from link_study where study_uuid = '${uuid}'`)

type Send = (place: Place, more?: object) => Promise<object>
const byShare =
  (to: object): Send =>
  async ({ sid, uuid }, more) =>
    share(sid, { uuid, ...to, ...more })
const byLink =
  (to: (place: Place) => Promise<object>): Send =>
  async (place, more) =>
    (await call('link/add', { sid: place.sid, action: 'STUDY_VIEW', ...(await to(place)), ...more })).body
const doors: [string, Send][] = [
  ['a person', byShare({ user_id: reader.userUuid })],
  ['a group', byShare({ group_id: group.groupUuid })],
  ['a location', byShare({ location_id: location.groupUuid })],
  ['another organisation', byShare({ account_id: partner.accountUuid })],
  ['whoever has a share code', byShare({ share_code: 'MIXED-1' })],
  ['e-mail addresses', byShare({ email: 'gp@clinic.example, ward@clinic.example' })],
  ['a person later', byShare({ user_id: reader.userUuid, delay: 600 })],
  ['another organisation later', byShare({ account_id: partner.accountUuid, delay: 600 })],
  ['an e-mail address later', byShare({ email: 'later@clinic.example', delay: 600 })],
  ['whoever has a link', byLink(async ({ uuid }) => ({ study_id: uuid }))],
  [
    'whoever has a link to several exams',
    byLink(async ({ uuid, group: { namespaceUuid } }) => {
      const [other] = await query<{ uuid: string }>(
        `insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, created, updated)
        values ('${namespaceUuid}', gen_random_uuid(), '2.25.' || floor(random() * 1e15)::bigint, '${namespaceUuid}', '${accountUuid}', 'complete', now(), now())
        returning uuid`,
      )
      return { study_id: other?.uuid, study_ids: uuid }
    }),
  ],
]

describe('an exam whose images name several patients', () => {
  test.each(doors)('leaves to %s only once somebody says that they were looked at', async (_to, send) => {
    const place = await makeMixed()
    expect(await send(place)).toMatchObject(refused)
    expect(await send(place, { mixed_patients: 0 })).toMatchObject(refused)
    expect(await givenOf(place.uuid)).toEqual([])
    expect(await send(place, { mixed_patients: 1 })).toMatchObject(done)
    expect(await givenOf(place.uuid)).not.toEqual([])
  })

  test.each(doors)('of whom somebody said that they are one leaves to %s as any other', async (_to, send) => {
    const place = await makeMixed()
    await query(`update study set mixed_overrule = jsonb_build_object('identities', (
      select coalesce(jsonb_agg(i), '[]') from stored_study t cross join lateral jsonb_array_elements(t.identities) i
      where t.study_uid = '${place.study.study_uid}')) where uuid = '${place.uuid}'`)
    expect(await send(place)).toMatchObject(done)
  })
})

it('what was to leave later and names several patients by then does not leave, and its sender sees why', async () => {
  const place = await makePlace('Administrator')
  const { sid, uuid } = place
  const named = { uuid, user_id: reader.userUuid }
  expect(await share(sid, { ...named, delay: 600 })).toEqual(done)
  const [linkUuid = ''] = (await share(sid, { uuid, email: 'too-late@clinic.example', delay: 600 }))
    .user_invite_share_id
  await mix(uuid)
  const [waiting] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${uuid}'`)
  await deliverShareActs.run(services, { shareUuid: waiting?.uuid ?? '' }, run)
  await mailLinkActs.run(services, { linkUuid, address: 'https://hilum.example' }, run)
  expect(await received(reader, place.study.study_uid)).toBeUndefined()
  expect(await query(`select from mail where recipient = 'too-late@clinic.example'`)).toEqual([])
  const sends = await listTracked(services.db, uuid)
  expect(sends.find(({ kind }) => kind === 'email')).toMatchObject({ state: 'failed', failure: 'MIXED_PATIENTS' })
  const { body } = await call('study/share/access', { sid, uuid })
  expect(body.shares).toMatchObject([{ state: 'failed', failure: 'MIXED_PATIENTS' }])
  expect(await stop(sid, { ...named, restore: 1 })).toMatchObject(refused)
})

it('what was stopped before it left and names several patients by then comes back to nobody', async () => {
  const { sid, uuid } = await makePlace('Administrator')
  const named = { uuid, user_id: reader.userUuid }
  expect(await share(sid, { ...named, delay: 600 })).toEqual(done)
  const [link = ''] = (await share(sid, { uuid, email: 'stopped@clinic.example' })).user_invite_share_id
  const mailed = { uuid, user_invite_share_id: link }
  await query(`update link set mail_at = now() - interval '1 minute' where uuid = '${link}'`)
  await query(`delete from mail where recipient = 'stopped@clinic.example'`)
  expect(await stop(sid, named)).toEqual(done)
  expect((await call('link/delete', { sid, uuid: link })).body).toEqual(done)
  await mix(uuid)
  expect(await stop(sid, { ...named, restore: 1 })).toMatchObject(refused)
  expect(await stop(sid, { ...mailed, restore: 1 })).toMatchObject(refused)
  expect((await call('link/set', { sid, uuid: link, restore: 1 })).body).toMatchObject(refused)
  expect(await query(`select from mail where recipient = 'stopped@clinic.example'`)).toEqual([])
})

it('what somebody had looked at leaves later, and comes back after it was stopped', async () => {
  const { sid, uuid, study } = await makeMixed()
  const named = { uuid, user_id: reader.userUuid }
  expect(await share(sid, { ...named, delay: 600, mixed_patients: 1 })).toEqual(done)
  const [waiting] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${uuid}'`)
  await deliverShareActs.run(services, { shareUuid: waiting?.uuid ?? '' }, run)
  expect(await received(reader, study.study_uid)).toBeDefined()
  await query(`update share set run_at = now() where study_uuid = '${uuid}'`)
  expect(await stop(sid, named)).toEqual(done)
  expect(await stop(sid, { ...named, restore: 1 })).toEqual(done)
  expect(await received(reader, study.study_uid)).toBeDefined()
})

it('a link is mailed to somebody else only where its maker had looked at the patients', async () => {
  const { sid, uuid } = await makePlace('Administrator')
  const make = async (more: object = {}) => {
    const made = await call('link/add', {
      sid,
      study_id: uuid,
      action: 'STUDY_VIEW',
      email: 'one@clinic.example',
      ...more,
    })
    return String(made.body.uuid)
  }
  const before = await make()
  await mix(uuid)
  const seen = await make({ mixed_patients: 1 })
  const mail = async (link: string, email: string) => (await call('link/mail', { sid, uuid: link, email })).body
  expect(await mail(before, 'two@clinic.example')).toMatchObject(refused)
  expect(await mail(before, 'One@clinic.example')).toMatchObject(done)
  expect(await mail(seen, 'two@clinic.example')).toMatchObject(done)
})
