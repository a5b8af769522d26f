import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { completeSharedStudies } from './complete-shared.command.ts'
import { receiveAgain } from './shared-arrival.sql.ts'

const { services, query } = await openTestServices()
const organisation = await makeOrganisation(services.db)
const makePlace = async () => (await organisation.addGroup()).namespaceUuid

/** A study in three places, of which the third shows the images of both others by shares; gives the second share. */
async function makeShared() {
  const [first, second, reader] = [await makePlace(), await makePlace(), await makePlace()]
  const uuids = await makeStudies(
    services.db,
    organisation.accountUuid,
    [first, second, reader].map((phi_namespace) => ({ phi_namespace })),
  )
  const studyUid = `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`
  const list = uuids.map((uuid) => `'${uuid}'`).join()
  await query(`update study set study_uid = '${studyUid}' where uuid in (${list})`)
  await query(`insert into stored_study (storage_namespace, study_uid, account_uuid)
    values ('${first}', '${studyUid}', '${organisation.accountUuid}'), ('${second}', '${studyUid}', '${organisation.accountUuid}')`)
  await query(`delete from study_source where study_uuid = '${uuids[2]}'`)
  await query(`update study set source = 'share', arrival = 'receiving', complete_at = null where uuid = '${uuids[2]}'`)
  const shares = [randomUUID(), randomUUID()] as const
  for (const [at, from] of [first, second].entries()) {
    await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
      values ('${shares[at]}', '${from}', '${uuids[at]}', 'group', '${randomUUID()}', 'delivered')`)
    await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace, generation, share_uuid)
      select '${reader}', '${uuids[2]}', storage_namespace, generation, '${shares[at]}'
      from study_source where study_uuid = '${uuids[at]}'`)
  }
  await query(`update study set arrival = 'receiving' where uuid = '${uuids[1]}'`)
  return { second: shares[1], sender: uuids[1] ?? '', reader: uuids[2] ?? '' }
}

it.each([
  ['receives still, while the sender whose images it shows receives', '', 'receiving'],
  ['is complete, while a sender whose share waits for approval receives', 'awaits_approval = true', 'complete'],
  ['is complete, while a sender whose share is over receives', `expires_at = now() - interval '1 second'`, 'complete'],
])('a record by shares %s', async (_words, change, arrival) => {
  const { second, reader } = await makeShared()
  if (change) await query(`update share set ${change} where uuid = '${second}'`)
  await completeSharedStudies(services)
  expect(await query(`select arrival from study where uuid = '${reader}'`)).toEqual([{ arrival }])
})

it('a record receives again when a share is approved whose sender receives still, until that one ends', async () => {
  const { second, sender, reader } = await makeShared()
  await query(`update share set awaits_approval = true where uuid = '${second}'`)
  await completeSharedStudies(services)
  const arrival = async () => (await query(`select arrival from study where uuid = '${reader}'`))[0]
  expect(await arrival()).toEqual({ arrival: 'complete' })
  await query(`update share set awaits_approval = false where uuid = '${second}'`)
  const [record] = await query<{ phi_namespace: string; uuid: string }>(
    `select phi_namespace, uuid from study where uuid = '${reader}'`,
  )
  if (!record) throw new Error('There is no record')
  await services.db.transaction().execute((tx) => receiveAgain(tx, record))
  await completeSharedStudies(services)
  expect(await arrival()).toEqual({ arrival: 'receiving' })
  await query(`update study set arrival = 'complete' where uuid = '${sender}'`)
  await completeSharedStudies(services)
  expect(await arrival()).toEqual({ arrival: 'complete' })
})
