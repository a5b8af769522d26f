import type { DestinationRow } from './destination.sql.ts'

/** A destination that says nothing yet. */
export const emptyDestination: Omit<DestinationRow, 'uuid' | 'account_uuid'> = {
  node_uuid: '',
  node_aetitle: '',
  name: '',
  type: 'DICOM',
  aetitle: '',
  address: '',
  port: 0,
  uses_tls: false,
  tls_certificate: null,
  can_search: false,
  can_search_mwl: false,
  can_query_retrieve: false,
  can_push: true,
  push_unchecked: false,
  push_foreign: false,
  can_commit: false,
  retrieve_method: 'auto',
  group_uuids: null,
  max_associations: 2,
  sort_order: null,
  health: null,
  echo: null,
}
