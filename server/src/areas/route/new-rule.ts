import { randomUUID } from 'node:crypto'
import type { RuleRow } from './route.sql.ts'

/** A rule of which nothing was said but its place. */
export function newRule(accountUuid: string, namespaceUuid: string, userUuid: string): RuleRow {
  return {
    uuid: randomUUID(),
    account_uuid: accountUuid,
    namespace_uuid: namespaceUuid,
    other_namespaces: [],
    name: '-',
    sequence: 0,
    suspended: false,
    flags: [],
    conditions: [],
    actions: [],
    options: {},
    schedule: null,
    delay_seconds: 0,
    delay_from_study_field: '',
    delay_from_study_seconds: 0,
    manual_roles: [],
    row_version: 1,
    saved_by: userUuid,
    saver_zone: '',
    names_gone_field: false,
  }
}
