import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { findAwaitingNode, findExpectedStudy } from './expected-study.ts'

const { services, query } = await openTestServices()
const { db } = services
const { accountUuid, addGroup, addPerson } = await makeOrganisation(db)
const person = await addPerson()
const nodeTitle = 'OUR_NODE'

/** A group into which a study is being retrieved from a destination of this title at 127.0.0.1. */
async function retrieveFrom(title: string, messageId: number) {
  const group = await addGroup()
  const { uuid: destination, nodeUuid } = await makeDestination({ query }, accountUuid, { port: 104, title, nodeTitle })
  const search = randomUUID()
  await query(`insert into destination_search (uuid, account_uuid, destination_uuid, user_uuid, phi_namespace, criteria)
    values ('${search}', '${accountUuid}', '${destination}', '${person.userUuid}', '${group.namespaceUuid}', '{}')`)
  await query(`insert into retrieval (uuid, account_uuid, node_uuid, destination_uuid, search_uuid, user_uuid,
      phi_namespace, study_uid, state, message_id)
    values ('${randomUUID()}', '${accountUuid}', '${nodeUuid}', '${destination}', '${search}', '${person.userUuid}',
      '${group.namespaceUuid}', '1.2.3', 'running', ${messageId})`)
  return group.namespaceUuid
}

it('takes an object for the retrieval that its message id names, and without one for that of its sender alone', async () => {
  const address = '127.0.0.1'
  const placeOf = async (callingTitle: string, messageId?: number) =>
    (await findExpectedStudy(db, nodeTitle, { callingTitle, address }, messageId))?.node.namespaceUuid
  const first = await retrieveFrom('FIRST', 7)
  expect([await placeOf('FIRST'), await placeOf('OTHER'), await placeOf('OTHER', 99)]).toEqual([first, first, first])

  const second = await retrieveFrom('SECOND', 8)
  expect([await placeOf('FIRST', 7), await placeOf('SECOND', 8), await placeOf('OTHER', 8)]).toEqual([
    first,
    second,
    second,
  ])
  expect([await placeOf('FIRST'), await placeOf('SECOND')]).toEqual([first, second])
  // of two at one address nobody knows which an object without a message id, under another title, belongs to
  expect([await placeOf('OTHER'), await placeOf('OTHER', 99)]).toEqual([undefined, undefined])
  const peer = { callingTitle: 'OTHER', address }
  expect(await findAwaitingNode(db, nodeTitle, peer)).toMatchObject({ accountUuid })
  expect(await findAwaitingNode(db, nodeTitle, { ...peer, address: '127.0.0.2' })).toBeUndefined()

  await retrieveFrom('SECOND', 7)
  expect([await placeOf('FIRST', 7), await placeOf('SECOND', 8)]).toEqual([first, second])
  expect([await placeOf('SECOND'), await placeOf('OTHER', 7)]).toEqual([undefined, undefined])
})
