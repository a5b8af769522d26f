import type { studyGet } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { mayDo } from '@hilum/contract/acts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../handler.ts'
import { findMrnOfAll } from '../altered/mrn-of-all.sql.ts'
import { listSeveralMrns } from '../altered/outgoing-record.sql.ts'
import { countOrdersOf } from '../order/exams-of-order.sql.ts'
import { listManualRules } from '../route/manual-rules.ts'
import { findRuledRecord } from '../route/ruled-study.sql.ts'
import { hiddenFields } from './field-access.policy.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { findMergeTarget } from '../separation/merge.sql.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { listStudyRows } from './study-rows.sql.ts'

export const get: Handler<typeof studyGet> = async ({ services, input, caller, on, origin, fail }) => {
  const [row] = await listStudyRows(services.db, [on.record], caller.userUuid)
  if (!row) throw fail('NOT_FOUND')
  const definitions = await listFieldDefinitions(services.db, [row])
  const routes = await listRoutes(services.db, on)
  const mergedInto = row.image_count === 0 ? await findMergeTarget(services.db, on.record) : undefined
  const orderCounts = mayDo('seeOrders', on.membership) ? await countOrdersOf(services.db, [row.uuid]) : undefined
  const mrns = await findShownMrns(services.db, on)
  return narrowStudy(
    {
      ...presentStudy(row, on.membership, origin.host, definitions),
      ...mrns,
      ...(routes.length > 0 ? { routes } : {}),
      ...(mergedInto === undefined ? {} : { merged_into: mergedInto }),
      ...(orderCounts ? { order_count: orderCounts.get(row.uuid) ?? 0 } : {}),
    },
    input.fields,
    input.customfield_h === 1,
  )
}

async function findShownMrns(
  db: Db,
  { record, membership }: StudyAccess,
): Promise<Pick<Study, 'image_mrns' | 'mrn_of_all'>> {
  if (hiddenFields(membership.fieldFlags).includes('patientid')) return {}
  const mrns = await listSeveralMrns(db, record.phi_namespace, record.uuid)
  const word = await findMrnOfAll(db, record)
  return { ...(mrns.length > 0 ? { image_mrns: mrns } : {}), ...(word ? { mrn_of_all: word } : {}) }
}

/** Rules that the caller may start by hand on the study. */
async function listRoutes(db: Db, { record, membership }: StudyAccess): Promise<{ uuid: string; name: string }[]> {
  if (!mayDo('routeManually', membership)) return []
  const study = await findRuledRecord(db, record.uuid)
  const rules = study ? await listManualRules(db, study, membership) : []
  return rules.map(({ uuid, name }) => ({ uuid, name }))
}
