import { type Kysely, sql } from 'kysely'

/**
 * Locations, which are places like groups; who has a role; and the end of a place. A place that is deleted leaves its
 * namespace, since images that were shared from it may lie there, and no study comes into it any more: a sender that was
 * let in before is refused at the end, and nothing is acknowledged that nobody would see.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app_group
    add column kind text not null default 'group' check (kind in ('group', 'location')),
    add column share_settings jsonb not null default '{}'`,
  // members with a role, listed when the role is shown and before its removal
  `create index account_user_of_role on account_user (role_uuid)`,
  `create index group_user_of_role on group_user (role_uuid) where role_uuid is not null`,
  `create index app_group_with_default on app_group (default_role_uuid) where default_role_uuid is not null`,

  `alter table namespace add column gone_at timestamptz`,
  `create function refuse_gone_namespace() returns trigger language plpgsql as $$
    begin
      -- waits for a deletion that is under way; the next statement sees what became of it
      perform from namespace n where n.uuid in (select phi_namespace from made) for key share;
      if exists (select from namespace n join made m on m.phi_namespace = n.uuid where n.gone_at is not null) then
        raise exception 'the place of the study was deleted meanwhile';
      end if;
      return null;
    end
  $$`,
  `create trigger study_of_gone_namespace after insert on study
    referencing new table as made for each statement execute function refuse_gone_namespace()`,
]
