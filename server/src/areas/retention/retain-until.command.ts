import { writeStudyAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { RetentionActor } from './patient.command.ts'
import { lockExam, setRetainUntil } from './retention.sql.ts'

/**
 * The last day of a date of retention, `YYYY-MM-DD` of the calendar; null where the text is empty, undefined where it
 * names no day, one that is over in UTC, by which nothing would be kept, or one after the year 2399.
 */
export function readLastDay(text: string, now: Date): string | null | undefined {
  const day = text.trim()
  if (day === '') return null
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return undefined
  return day >= now.toISOString().slice(0, 10) && day < '2400-01-01' ? day : undefined
}

/**
 * Retains an exam through a day, though it is deleted; null takes the date back. Old and new date go on record with the
 * reason.
 * @param seen as `demandUnchanged` takes it
 * @returns false where the account has no such exam
 * @throws ApiError STALE
 */
export async function retainUntil(
  actor: RetentionActor,
  exam: { account_uuid: string; uuid: string },
  lastDay: string | null,
  reason: string,
  seen?: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return actor.db.transaction().execute(async (tx) => {
    const record = await lockExam(tx, exam.account_uuid, exam.uuid)
    if (!record) return false
    demandUnchanged(seen, { retain_until: record.retain_until })
    await setRetainUntil(tx, record, lastDay)
    const detail = { retain_until: [record.retain_until ?? '', lastDay ?? ''], reason }
    if ('caller' in actor) await writeStudyAudit(tx, actor.caller, record, 'EDIT', detail)
    else
      await writeStudyAudit(tx, undefined, record, 'EDIT', {
        ...detail,
        by: 'operator',
        machine_user: actor.machineUser,
      })
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    return true
  })
}
