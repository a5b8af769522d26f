import { randomUUID } from 'node:crypto'
import type { studyMerge } from '@hilum/contract/calls/study-merge'
import { maxSplitReason } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { lockMerging } from '../separation/lock-merging.command.ts'
import { writtenOf } from '../separation/plan-merge.command.ts'
import { insertSeparation } from '../separation/separation.sql.ts'
import { openMergePlan } from '../separation/open-merge-plan.command.ts'

export const merge: Handler<typeof studyMerge> = async (request) => {
  const { services, input, caller, on, fail } = request
  const reason = (input.reason ?? '').trim()
  if (reason.length > maxSplitReason) throw fail('INVALID_FIELD', { subtype: 'reason' })
  const uuid = randomUUID()
  await services.db.transaction().execute(async (tx) => {
    const { moves, stays, digest } = await openMergePlan(tx, request)
    const [obstacle] = [...moves.obstacles, ...stays.obstacles]
    if (obstacle === 'locked') throw fail('LOCKED')
    if (obstacle === 'running') throw fail('RUNNING')
    if (obstacle) throw fail('NOT_AVAILABLE', { subtype: obstacle })
    if (digest !== input.digest || !moves.key || !moves.side || !stays.key || !stays.side) throw fail('STALE')
    const { record } = moves
    const studies = {
      phi_namespace: record.phi_namespace,
      study_uid: record.study_uid,
      study_generation: moves.key.generation,
      to_study_uid: on.record.study_uid,
      to_generation: stays.key.generation,
    }
    const { from, to } = await lockMerging(tx, studies)
    // read once more, now that nothing arrives for either
    const locked = await openMergePlan(tx, request)
    if (!from || !to || locked.digest !== digest || !locked.moves.side || !locked.stays.side) throw fail('STALE')
    if (locked.moves.obstacles.length + locked.stays.obstacles.length > 0) throw fail('STALE')
    const { identities, seqs: all } = locked.moves.side
    const { chosen } = locked
    const isBegun = await insertSeparation(tx, {
      ...studies,
      uuid,
      kind: 'merge',
      is_part: chosen !== undefined,
      account_uuid: record.account_uuid,
      study_uuid: record.uuid,
      study_key: from.key,
      to_study_uuid: on.record.uuid,
      to_up_to_seq: locked.stays.side.seqs.at(-1) ?? 0,
      written: writtenOf(locked.stays.side, locked.moves.side),
      confirmed: {},
      moved_identities: identities,
      kept_identities: [],
      kept_demographics: { ...nobody, modality: '' },
      series_uids: chosen?.wholeSeries ?? [],
      up_to_seq: all.at(-1) ?? 0,
      seqs: chosen?.seqs ?? all,
      reason,
      user_uuid: caller.userUuid,
    })
    if (!isBegun) throw fail('RUNNING')
    const about = { userUuid: caller.userUuid, accountUuid: record.account_uuid, studyUuid: record.uuid }
    const work = { group: `separation:${record.phi_namespace}`, about }
    await enqueue(tx, declaredJobs.makeSeparation, { separationUuid: uuid }, work)
  })
  services.events.ring()
  return { uuid }
}

/** All images of the exam are of one patient, so that its record shows no other one afterwards; the facts of the exam are read when they leave. */
const nobody = {
  patient_name: '',
  patientid: '',
  issuer: '',
  patient_birth_date: '',
  patient_sex: '',
  accession_number: '',
  study_description: '',
  study_date: '',
  study_time: '',
  referring_physician: '',
}
