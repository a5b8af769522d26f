import { randomUUID } from 'node:crypto'
import { type filterAdd, maxFilterName } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { accountOfSearch, openSearchPlace } from './filter.policy.ts'
import { insertSavedSearch } from './filter.sql.ts'
import { readConfiguration } from './read-configuration.ts'

export const add: Handler<typeof filterAdd> = async ({ services, input, caller, fail }) => {
  if (input.name.length > maxFilterName) throw fail('INVALID_FIELD', { subtype: 'name' })
  const configuration = readConfiguration(input.configuration)
  const place = input.namespace_id === undefined ? undefined : await openSearchPlace(caller, input.namespace_id)
  const accountUuid = (await accountOfSearch(caller, place?.accountUuid, input.account_id)) ?? null
  const uuid = randomUUID()
  await insertSavedSearch(services.db, {
    uuid,
    name: input.name.trim(),
    type: input.type,
    configuration,
    ownerUuid: caller.userUuid,
    accountUuid,
    namespaceUuid: place?.namespaceUuid ?? null,
  })
  return { uuid }
}
