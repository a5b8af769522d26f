import { maxRetentionDays, type retentionSet } from '@hilum/contract/calls/retention'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { deleteSetting, findSetting, putSetting, type SettingScope } from '../setting/setting.sql.ts'
import { countStaying, listRuledPlaces } from './retention.sql.ts'

type Request = CallRequest<typeof retentionSet>

/** A change that is only looked at is done and taken back, so that its answer is that of the change itself. */
class OnlyLookedAt extends Error {
  readonly outcome: { kept: number; released: number }
  constructor(outcome: { kept: number; released: number }) {
    super('The change was only looked at')
    this.outcome = outcome
  }
}

export const set: Handler<typeof retentionSet> = async (request) => {
  const { services, input, on, fail } = request
  const days = input.retention_days.trim()
  if (days !== '' && !(/^\d{1,5}$/.test(days) && Number(days) <= maxRetentionDays))
    throw fail('INVALID_INTEGER', { subtype: 'retention_days' })
  if (input.namespace_id !== undefined) {
    const places = await listRuledPlaces(services.db, on.ownerUuid)
    const isOne = places.some((place) => place.namespace_id === input.namespace_id)
    if (!isOne) throw fail('NOT_FOUND', { subtype: 'namespace_id' })
  }
  try {
    return await services.db.transaction().execute(async (tx) => {
      const outcome = await change(tx, request, days === '' ? '' : String(Number(days)))
      if (input.check === 1) throw new OnlyLookedAt(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof OnlyLookedAt) return error.outcome
    throw error
  }
}

async function change(
  tx: Tx,
  { input, on, caller }: Request,
  days: string,
): Promise<{ kept: number; released: number }> {
  const scope: SettingScope = input.namespace_id === undefined ? 'account' : 'namespace'
  const uuid = input.namespace_id ?? on.ownerUuid
  const now = new Date()
  const before = await countStaying(tx, on.ownerUuid, now)
  const old = (await findSetting(tx, scope, uuid, 'retention_days')) ?? ''
  demandUnchanged(input.seen, { retention_days: old === '' ? null : Number(old) })
  if (old === days) return { kept: 0, released: 0 }
  if (days === '') await deleteSetting(tx, scope, uuid, 'retention_days')
  else await putSetting(tx, scope, uuid, 'retention_days', days)
  await writeAudit(tx, {
    accountUuid: on.ownerUuid,
    caller,
    action: 'EDIT',
    type: scope === 'account' ? 'Account' : 'Namespace',
    objectUuid: uuid,
    detail: { retention_days: [old, days] },
  })
  // one rule became longer or shorter: nothing is kept and let go by one change
  const difference = (await countStaying(tx, on.ownerUuid, now)) - before
  return { kept: Math.max(difference, 0), released: Math.max(-difference, 0) }
}
