import { type Kysely, sql } from 'kysely'

/**
 * Rings when a DICOM peer may do less than before: the AE title of a place or its lists of peers changed, or a destination
 * was closed. Associations, pushes and retrievals that are open are looked at then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const isOfPeers = (row: string) =>
  `${row}.key in ('dicom_ae_title', 'dicom_allowed_peers', 'dicom_query_peers', 'dicom_worklist_peers')`

const statements = [
  `create trigger setting_of_peers_changed after update on setting
    for each row when (${isOfPeers('new')} and new.value is distinct from old.value)
    execute function ring_access_of_all()`,
  // a first list of senders ends the right of programs of this machine
  `create trigger setting_of_peers_made after insert on setting
    for each row when (${isOfPeers('new')}) execute function ring_access_of_all()`,
  `create trigger setting_of_peers_gone after delete on setting
    for each row when (${isOfPeers('old')}) execute function ring_access_of_all()`,
  // health and names of destinations change by themselves and concern nobody's rights
  `create trigger destination_closed after update on destination
    for each row when ((new.deleted_at, new.group_uuids, new.can_push, new.can_query_retrieve, new.aetitle, new.address, new.port)
      is distinct from (old.deleted_at, old.group_uuids, old.can_push, old.can_query_retrieve, old.aetitle, old.address, old.port))
    execute function ring_access_of_all()`,
]
