import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { KeptOrder, KeptStep } from './order-write.sql.ts'

/** A step that is still to be done, with its order. */
export type ScheduledStep = Omit<KeptStep, 'account_uuid'> &
  Pick<
    KeptOrder,
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
 * The steps of a group that are neither done nor given up, the earliest first.
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
      and p.mpps_status not in ('COMPLETED', 'DISCONTINUED')
      and (${days.from} = '' or p.scheduled_procedure_step_start_date >= ${days.from})
      and (${days.until} = '' or p.scheduled_procedure_step_start_date <= ${days.until})
    order by p.scheduled_procedure_step_start_date, p.scheduled_procedure_step_start_time, p.uuid
    limit ${limit}
    offset ${offset}
  `.execute(db)
  return rows
}
