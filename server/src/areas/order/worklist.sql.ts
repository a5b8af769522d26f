import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { OrderScope } from './order.sql.ts'
import type { StoredOrder, StoredStep } from './order-write.sql.ts'

/** A step that is still to be done, with its order. */
export type ScheduledStep = Omit<StoredStep, 'account_uuid'> &
  Pick<
    StoredOrder,
    | 'accession_number'
    | 'order_number'
    | 'patientid'
    | 'patient_name'
    | 'patient_sex'
    | 'patient_birth_date'
    | 'referring_physician'
    | 'issuer'
    | 'study_uid'
  >

/**
 * The steps of a group that are neither done nor given up nor of a cancelled order, the earliest first; those that the worklist of a destination
 * tells itself aside.
 * @param days YYYYMMDD, both inclusive; empty for no bound
 */
export async function listScheduledSteps(
  db: Db,
  namespaceUuid: string,
  days: { from: string; until: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<ScheduledStep[]> {
  const { rows } = await sql<ScheduledStep>`
    select p.uuid, p.order_uuid, p.modality, p.scheduled_procedure_step_id, p.requested_procedure_id,
      p.requested_procedure_description, p.scheduled_station_aetitle, p.scheduled_procedure_step_start_date,
      p.scheduled_procedure_step_start_time, p.scheduled_procedure_step_description,
      o.accession_number, o.order_number, o.patientid, o.issuer, o.patient_name, o.patient_sex, o.patient_birth_date,
      o.referring_physician, o.study_uid
    from imaging_order o
    join order_step p on p.account_uuid = o.account_uuid and p.order_uuid = o.uuid
    where o.namespace_uuid = ${namespaceUuid}
      and o.worklist_key is null
      and o.cancelled_at is null
      and p.mpps_status not in ('COMPLETED', 'DISCONTINUED')
      and (${days.from} = '' or p.scheduled_procedure_step_start_date >= ${days.from})
      and (${days.until} = '' or p.scheduled_procedure_step_start_date <= ${days.until})
    order by p.scheduled_procedure_step_start_date, p.scheduled_procedure_step_start_time, p.uuid
    limit ${limit}
    offset ${offset}
  `.execute(db)
  return rows
}

export type FoundStep = ScheduledStep & { mpps_status: string; mpps_uid: string }

/** Steps of orders that a caller sees and that hold, whatever became of the steps, the earliest first. */
export async function listFoundSteps(db: Db, scope: OrderScope, { where, limit }: ListSql): Promise<FoundStep[]> {
  const { rows } = await sql<FoundStep>`
    select f.uuid, f.order_uuid, f.modality, f.scheduled_procedure_step_id, f.requested_procedure_id,
      f.requested_procedure_description, f.scheduled_station_aetitle, f.scheduled_procedure_step_start_date,
      f.scheduled_procedure_step_start_time, f.scheduled_procedure_step_description, f.mpps_status, f.mpps_uid,
      o.accession_number, o.order_number, o.patientid, o.issuer, o.patient_name, o.patient_sex, o.patient_birth_date,
      o.referring_physician, o.study_uid, ${totalColumn}
    from imaging_order o
    join order_step f on f.account_uuid = o.account_uuid and f.order_uuid = o.uuid
    where o.account_uuid = ${scope.accountUuid}
      and (o.namespace_uuid = any(${scope.namespaces as string[]}::uuid[])
        or (o.namespace_uuid is null and ${scope.isWithoutGroup}))
      and o.cancelled_at is null
      and ${where}
    order by f.scheduled_procedure_step_start_date, f.scheduled_procedure_step_start_time, f.uuid
    limit ${limit}
  `.execute(db)
  return rows
}
