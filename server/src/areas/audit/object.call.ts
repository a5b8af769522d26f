import type { auditObject } from '@hilum/contract/calls/audit'
import { sql } from 'kysely'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { hiddenCustomFields, hiddenFields } from '../study/field-access.policy.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listAuditOfObject } from './audit.sql.ts'

const columns = {
  action: { kind: 'exact', column: sql.ref('a.action') },
  type: { kind: 'exact', column: sql.ref('a.type') },
  when: { kind: 'stamp', column: sql.ref('a.at') },
} as const

export const object: Handler<typeof auditObject> = async ({ services, input, list, caller, on }) => {
  const { rows: limit, number } = list.page
  const where = filterSql(list.filters, columns, filterZone(caller.timeZone, list.timeZone))
  const found = await listAuditOfObject(services.db, on.record.uuid, where, {
    limit: limit + 1,
    offset: (number - 1) * limit,
    isReversed: input.reverse === 1,
  })
  const { rows, page } = toPage(found, list)
  const flags = on.membership.fieldFlags
  const definitions = await listDefinitions(services.db, [on.record.account_uuid], 'Study')
  const hidden = new Set([...hiddenFields(flags), ...hiddenCustomFields(flags, definitions).map(({ name }) => name)])
  // a reason names people and numbers
  if (hidden.has('patientid')) hidden.add('mrn_held')
  return {
    events: rows.map((row) => ({
      uuid: String(row.id),
      action: row.action,
      type: row.type,
      what: on.record.uuid,
      who: row.actor_name,
      proxy: row.proxy,
      when: row.at,
      detail: withoutHidden(row.detail, hidden),
      with: withWhom(row.detail),
      client_address: row.client_address,
    })),
    page,
  }
}

/** The audited change, but for fields that this role may not see. */
function withoutHidden(detail: Detail, hidden: ReadonlySet<string>): Detail {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => !hidden.has(name)))
}

/** The other party of a share, as its audit row names it. */
function withWhom(detail: Detail): string {
  return 'with' in detail ? String(detail['with']) : ''
}

type Detail = Readonly<Record<string, unknown>>
