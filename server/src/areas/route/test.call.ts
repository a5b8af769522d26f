import { type routeTest, testDays, testStudies, testStudiesOfDays } from '@hilum/contract/calls/route'
import { toStamp } from '../../db/to-stamp.ts'
import type { Handler } from '../handler.ts'
import { checkRule } from './check-rule.command.ts'
import { decideRun } from './decide-run.ts'
import { findConflicts } from './find-conflicts.ts'
import { namedPlace } from './named-place.ts'
import { newRule } from './new-rule.ts'
import { readRule } from './read-rule.ts'
import { listActiveRules } from './route.sql.ts'
import { placesOf } from './rule-circle.ts'
import { listRuleTargets } from './rule-target.sql.ts'
import { countRecords, listLatestRecords } from './ruled-study.sql.ts'
import { listApprovingPlaces, listSeenPlaces } from './seen-places.ts'

export const test: Handler<typeof routeTest> = async ({ services, input, caller, on, fail }) => {
  const { db } = services
  const targets = await listRuleTargets(db, on.ownerUuid)
  const place = namedPlace(input, targets)
  if (!place) throw fail('INVALID_LINKAGE')
  if (input.days !== undefined && (input.days < 1 || input.days > testDays))
    throw fail('INVALID_FIELD', { subtype: 'days' })
  const made = newRule(on.ownerUuid, place, caller.userUuid)
  const read = readRule({ ...made, saver_zone: caller.timeZone, uuid: input.uuid ?? made.uuid }, input)
  const rule = await checkRule(db, read, read.manual_roles)
  const seen = new Set(await listSeenPlaces(caller))
  const looked = { days: input.days, limit: input.days === undefined ? testStudies : testStudiesOfDays }
  const places = placesOf(rule)
  const isSeen = (uuid: string) => seen.has(uuid)
  const approving = new Set(await listApprovingPlaces(caller))
  const isSeenWaiting = (uuid: string) => seen.has(uuid) && approving.has(uuid)
  const takesWaiting = rule.options.bypass_approval === 1 ? places : []
  const found = await listLatestRecords(
    db,
    { settled: places.filter(isSeen), waiting: takesWaiting.filter(isSeenWaiting) },
    { ...looked, limit: looked.limit + 1 },
  )
  const rows = found.slice(0, looked.limit)
  const counted = await countRecords(
    db,
    {
      settled: places.filter((uuid) => !isSeen(uuid)),
      waiting: takesWaiting.filter((uuid) => !isSeenWaiting(uuid)),
    },
    { ...looked, limit: looked.limit + 1 },
  )
  const unseen = Math.min(counted, looked.limit)
  const isCut = input.days !== undefined && (found.length > looked.limit || counted > looked.limit)
  const now = new Date()
  const studies = rows.map((row) => {
    const { reason, detail, runAt } = decideRun(rule, row, now)
    return { row, isMet: reason !== 'CONDITIONS', failed: detail.failed ?? [], runAt }
  })
  const matching = studies.filter((one) => one.isMet).map((one) => one.row)
  const others = (await listActiveRules(db, on.ownerUuid)).filter((one) => one.uuid !== rule.uuid)
  return {
    studies: studies.map(({ row, isMet, failed, runAt }) => ({
      uuid: row.uuid,
      patient_name: row.patient_name,
      study_description: row.study_description,
      modality: row.modalities.join(' '),
      place_name: row.place_name,
      created: row.shown_created,
      matched: isMet ? 1 : 0,
      failed,
      waits_approval: row.must_approve ? 1 : 0,
      acts_at: runAt && toStamp(runAt),
    })),
    matched: matching.length,
    tested_at: toStamp(now),
    is_cut: isCut ? 1 : 0,
    unseen,
    conflicts: findConflicts(rule, others, targets, { matching, now }),
  }
}
