import type { Order } from '@hilum/contract/calls/order'
import { sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { withoutTotal } from '../list-page.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { type ExamOfOrder, examsOfOrder } from './exams-of-order.sql.ts'

export type OrderRow = Omit<Order, 'customfields' | 'studies'> & { customfields: Record<string, string> }

/** The orders that a caller may see; made by `order.policy.ts`. */
export interface OrderScope {
  accountUuid: string
  namespaces: readonly string[]
  /** Whether orders of no group are among them. */
  isWithoutGroup: boolean
  /** The studies that are counted and named as exams of an order. */
  studies: StudyScope
}

/** Orders of an account with their steps, of those that the caller may see. */
export async function listOrders(db: Db, scope: OrderScope, { where, orderBy, limit }: ListSql): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.uuid, o.patientid, o.issuer, o.patient_name, o.accession_number, o.order_number, o.patient_sex, o.patient_birth_date,
      o.namespace_uuid as namespace_id, o.source, o.referring_physician, o.sending_facility, o.tags, o.customfields,
      to_char(o.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      to_char(o.cancelled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as cancelled_at,
      coalesce(steps.list, '[]') as sps, (select count(*) from ${examsOfOrder(scope.studies)} exam) as study_count,
      ${totalColumn}
    from imaging_order o
    left join lateral (
      select jsonb_agg(to_jsonb(p) - 'account_uuid' - 'order_uuid'
        order by p.scheduled_procedure_step_start_date, p.scheduled_procedure_step_start_time, p.uuid) as list
      from order_step p
      where p.account_uuid = o.account_uuid and p.order_uuid = o.uuid
    ) steps on true
    where o.account_uuid = ${scope.accountUuid}
      and (o.namespace_uuid = any(${scope.namespaces as string[]}::uuid[])
        or (o.namespace_uuid is null and ${scope.isWithoutGroup}))
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

interface OrderEventRow {
  id: number
  action: string
  actor_name: string
  at: string
  detail: Record<string, unknown>
  message: { type: string; sender: string; control_id: string } | null
}

/**
 * The history of an order, newest first. A message of HL7 is on record at its place, in the transaction of what it
 * changed, and so of the same moment.
 */
export async function listOrderEvents(
  db: Db,
  order: { accountUuid: string; namespaceUuid: string | null; uuid: string },
): Promise<OrderEventRow[]> {
  const { rows } = await sql<OrderEventRow>`
    select a.id, a.action, a.actor_name, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at, a.detail,
      (
        select json_build_object('type', coalesce(m.detail ->> 'message', ''), 'sender',
          coalesce(m.detail ->> 'calling_ae', ''), 'control_id', coalesce(m.detail ->> 'control_id', ''))
        from audit m
        where a.actor_kind = 'system' and m.object_uuid = ${order.namespaceUuid} and m.at = a.at
          and m.action = 'ORDER_MESSAGE'
        order by m.id
        limit 1
      ) as message
    from audit a
    where a.object_uuid = ${order.uuid} and a.account_uuid = ${order.accountUuid} and a.type = 'Order'
    order by a.at desc, a.id desc
    limit 200
  `.execute(db)
  return rows
}

/** One order of those that the caller may see. */
export async function findOrder(db: Db, scope: OrderScope, uuid: string): Promise<OrderRow | undefined> {
  const only = { where: sql`o.uuid = ${uuid}`, orderBy: sql`o.uuid`, limit: sql`1` }
  const [row] = await listOrders(db, scope, only)
  return row && withoutTotal(row)
}

/** Most exams that an order is told with. */
const mostExams = 100

/** The exams of an order of those that the caller may list, in the order of their UIDs. */
export async function listExamsOf(db: Db, scope: OrderScope, uuid: string): Promise<ExamOfOrder[]> {
  const { rows } = await sql<ExamOfOrder>`
    select exam.uuid, exam.study_uid, exam.phi_namespace
    from imaging_order o
    cross join lateral ${examsOfOrder(scope.studies)} exam
    where o.uuid = ${uuid}
    order by exam.study_uid, exam.uuid
    limit ${mostExams}
  `.execute(db)
  return rows
}
