import type { User } from '@hilum/contract/entities/user'
import type { UserRow } from './user.sql.ts'

/** A user as `user/get` and `session/user` give it. */
export function presentUser(row: UserRow): User {
  return {
    uuid: row.uuid,
    name: `${row.first_name} ${row.last_name}`.trim() || row.email,
    first: row.first_name,
    last: row.last_name,
    email: row.email,
    namespace_id: row.namespace_uuid,
    sysadmin: row.sysadmin ? 1 : 0,
    support: row.support ? 1 : 0,
    is_anonymous: 0,
    is_proxy: 0,
    pin_required: row.pin_required ? 1 : 0,
    training_todo: 0,
    mobile_phone: row.mobile_phone,
    share_code: row.share_code,
    share_description: row.share_description,
    time_zone: row.time_zone,
    last_login: row.last_login,
    terms_md5: row.terms_md5,
    privacy_md5: row.privacy_md5,
    indicator_md5: row.indicator_md5,
    ui_json: row.ui_json,
  }
}
