import { type Kysely, sql } from 'kysely'

/**
 * Nominations that wait again after a failed push wait with the record of their gatekeeper group, so that `study/list`
 * with `must_approve` finds them.
 */
export async function up<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    update study s
    set must_approve = true
    from nomination m
    where m.gate_namespace = s.phi_namespace and m.gate_uuid = s.uuid and m.state = 'nominated' and not s.must_approve
  `.execute(db)
}
