import type { Place } from '@hilum/contract/entities/place'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import type { GroupRow } from './group.sql.ts'

/** role_id is the role that members get in the group when they are given none of their own. */
export function presentGroup(row: GroupRow, definitions: readonly CustomFieldRow[]): Place {
  return {
    uuid: row.uuid,
    name: row.name,
    account_id: row.account_uuid,
    namespace_id: row.namespace_uuid,
    must_approve: row.must_approve ? 1 : 0,
    must_approve_upload: row.must_approve_upload ? 1 : 0,
    must_approve_harvest: row.must_approve_harvest ? 1 : 0,
    must_approve_move: row.must_approve_move ? 1 : 0,
    no_share: row.no_share ? 1 : 0,
    share_code: row.share_code,
    share_description: row.share_description,
    share_settings: row.share_settings,
    role_id: row.default_role_uuid ?? '',
    role_name: row.default_role_name ?? '',
    tags: [],
    group_designation: row.designation,
    user_count: row.user_count,
    customfields: presentFieldValues(definitions, row.customfields),
  }
}
