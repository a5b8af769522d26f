import { type filterSet, maxFilterName } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { accountOfSearch, mayEditSearch, openSearchPlace } from './filter.policy.ts'
import { findSavedSearch, updateSavedSearch } from './filter.sql.ts'
import { readConfiguration } from './read-configuration.ts'

export const set: Handler<typeof filterSet> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  if (!mayEditSearch(row, caller.userUuid, await caller.memberships())) throw fail('NOT_PERMITTED')
  if ((input.name ?? '').length > maxFilterName) throw fail('INVALID_FIELD', { subtype: 'name' })
  const place = input.namespace_id ? await openSearchPlace(caller, input.namespace_id) : undefined
  const namespaceUuid = place?.namespaceUuid ?? (input.namespace_id === '' ? null : row.namespace_uuid)
  const placeAccount = place?.accountUuid ?? (namespaceUuid === null ? undefined : row.account_uuid)
  const accountUuid = await accountOfSearch(caller, placeAccount, input.account_id)
  await updateSavedSearch(services.db, row.uuid, {
    name: input.name?.trim() ?? row.name,
    type: input.type ?? row.type,
    configuration: input.configuration === undefined ? row.configuration : readConfiguration(input.configuration),
    accountUuid: accountUuid === undefined ? row.account_uuid : accountUuid,
    namespaceUuid,
  })
  return { uuid: row.uuid }
}
