import type { Destination } from '@hilum/contract/calls/destination'
import type { DestinationRow } from './destination.sql.ts'

export function presentDestination(row: DestinationRow): Destination {
  const { account_uuid, node_uuid, group_uuids, tls_certificate, ...rest } = row
  return {
    uuid: rest.uuid,
    account_id: account_uuid,
    name: rest.name,
    type: rest.type,
    node_id: node_uuid,
    node_aetitle: rest.node_aetitle,
    aetitle: rest.aetitle,
    address: rest.address,
    port: rest.port,
    uses_tls: flag(rest.uses_tls),
    tls_certificate: tls_certificate ?? '',
    can_search: flag(rest.can_search),
    can_search_mwl: flag(rest.can_search_mwl),
    can_query_retrieve: flag(rest.can_query_retrieve),
    can_push: flag(rest.can_push),
    push_unchecked: flag(rest.push_unchecked),
    push_foreign: flag(rest.push_foreign),
    can_commit: flag(rest.can_commit),
    retrieve_method: rest.retrieve_method,
    group_ids: group_uuids,
    max_associations: rest.max_associations,
    sort_order: rest.sort_order,
    health: rest.health,
    echo: rest.echo,
  }
}

/**
 * The name and the abilities of a destination, for people who use it in a place: where it is, and whether it answers, is
 * for those who see the destinations of the account.
 * @param ownerUuids the groups, locations or account of these places
 */
export function presentUsableDestination(row: DestinationRow, ownerUuids: readonly string[]): Destination {
  const groups = row.group_uuids?.filter((one) => ownerUuids.includes(one)) ?? null
  return {
    ...presentDestination({ ...row, tls_certificate: null, group_uuids: groups, health: null, echo: null }),
    address: '',
    port: 0,
  }
}

const flag = (value: boolean) => (value ? 1 : 0)
