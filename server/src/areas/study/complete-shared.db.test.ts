import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { completeSharedStudies } from './complete-shared.command.ts'

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
  return { second: shares[1], reader: uuids[2] ?? '' }
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
