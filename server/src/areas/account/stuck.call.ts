import { type accountStuck, type StuckCode, stuckCodes } from '@hilum/contract/calls/account'
import { toStamp } from '../../db/to-stamp.ts'
import type { Handler } from '../handler.ts'
import { listSilent } from '../destination/echo.sql.ts'
import { listEnteredCertificates } from '../destination/entered-certificate.sql.ts'
import { listEnding } from '../destination/ending-certificates.ts'
import { clockToleranceSeconds, findClockOffset } from '../installation/clock.sql.ts'
import { findNotices } from '../installation/find-notices.command.ts'
import {
  findLateClockWork,
  findUnsealed,
  listFailedClockWork,
  listFailedPushes,
  listFailingRules,
} from '../installation/stuck.sql.ts'
import { clockJobs } from '../job/clock-jobs.ts'
import { listFailingWebhooks } from '../webhook/webhook.sql.ts'

interface Stuck {
  code: StuckCode
  since: string | null
  name: string
  count: number
  destination_id?: string
  rule_id?: string
  place_name?: string
  certificate_ends?: string
}

export const stuck: Handler<typeof accountStuck> = async ({ services, on }) => {
  const { db, connections } = services
  const [{ codes, facts, mails }, rules, late, failed, unsealed, silent, certified, pushes, webhooks, clockOffset] =
    await Promise.all([
      findNotices(services, on.ownerUuid),
      listFailingRules(db, on.ownerUuid),
      findLateClockWork(db, clockJobs),
      listFailedClockWork(db, clockJobs),
      findUnsealed(db),
      listSilent(db, on.ownerUuid),
      listEnteredCertificates(db, on.ownerUuid),
      listFailedPushes(db, on.ownerUuid),
      listFailingWebhooks(db, on.ownerUuid),
      findClockOffset(db),
    ])
  const certificateOver = codes.includes('CERTIFICATE_OVER') ? facts.certificate_ends : null
  const found: Stuck[] = [
    ...codes.flatMap((code): Stuck[] => {
      if (code === 'RULE_FAILS') return rules.map((one) => ({ code, ...one }))
      if (code === 'MAILS_NOT_SENT') return [{ code, name: '', ...mails }]
      return [{ code, name: '', count: 1, since: code === 'CERTIFICATE_OVER' ? certificateOver : null }]
    }),
    ...(connections?.fault() === undefined
      ? []
      : [{ code: 'DATABASE_REFUSES', since: null, name: '', count: 1 } as const]),
    ...(Math.abs(clockOffset) > clockToleranceSeconds
      ? [{ code: 'CLOCKS_DIFFER', since: null, name: '', count: Math.round(Math.abs(clockOffset)) } as const]
      : []),
    ...(late.count > 0 ? [{ code: 'WORK_NOT_TAKEN', name: '', ...late } as const] : []),
    ...(unsealed.count > 0 ? [{ code: 'AUDIT_NOT_SEALED', name: '', count: 1, since: unsealed.since } as const] : []),
    ...failed.map((one) => ({ code: 'CLOCK_WORK_FAILED', count: 1, ...one }) as const),
    ...silent.map((one) => ({ code: 'DESTINATION_SILENT', count: 1, ...one }) as const),
    ...listEnding(certified, new Date()).map(({ destination, level, endsAt }) => {
      const ends = toStamp(endsAt)
      const isOver = level === 'over'
      return {
        code: isOver ? 'DESTINATION_CERTIFICATE_OVER' : 'DESTINATION_CERTIFICATE_ENDS',
        since: isOver ? ends : null,
        name: destination.name,
        count: 1,
        destination_id: destination.uuid,
        certificate_ends: ends,
      } as const
    }),
    ...pushes.map((one) => ({ code: 'PUSHES_FAILED', ...one }) as const),
    ...webhooks.map(({ name, since }) => ({ code: 'WEBHOOK_FAILS', count: 1, name, since }) as const),
  ]
  found.sort((one, other) => stuckCodes.indexOf(one.code) - stuckCodes.indexOf(other.code))
  return { stuck: found.map((one) => ({ destination_id: '', rule_id: '', place_name: '', ...facts, ...one })) }
}
