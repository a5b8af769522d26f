import type { Link } from '@hilum/contract/calls/link'
import type { Sealer } from '../../sealer.ts'
import type { LinkRow } from './link-list.sql.ts'
import { givesDownload } from './link-values.policy.ts'

/**
 * A link as the wire shows it.
 * @param address begins the address of the link; undefined for who may not make such a link, and so not know its secret
 */
export function presentLink(row: LinkRow, sealer: Sealer, address: string | undefined): Link {
  const secret = address !== undefined && row.sealed_secret ? sealer.open(row.sealed_secret, row.uuid) : undefined
  return {
    uuid: row.uuid,
    url: address !== undefined && secret ? linkAddress(address, secret) : '',
    action: 'STUDY_VIEW',
    study_id: row.study_uuid,
    account_id: row.account_uuid,
    namespace_id: row.namespace_uuid,
    namespace_name: row.namespace_name,
    message: row.message,
    email: row.email,
    has_password: row.has_password ? 1 : 0,
    password_is_dob: row.password_is_dob ? 1 : 0,
    max_hits: row.max_hits,
    minutes_alive: row.minutes_alive,
    created: row.created,
    created_by_name: row.created_by_name,
    expires_at: row.expires_at,
    state: row.state,
    hits: row.hits,
    download: givesDownload(row.permissions) ? 1 : 0,
    uses: row.uses,
  }
}

/** Address of the page of a link. @param address the web app's own */
export function linkAddress(address: string, secret: string): string {
  return `${address}/link/${secret}`
}
