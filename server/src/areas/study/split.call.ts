import { randomUUID } from 'node:crypto'
import type { studySplit } from '@hilum/contract/calls/study-split'
import { maxSplitReason } from '@hilum/contract/limits'
import { newUid } from '@hilum/dicom/uid'
import type { Tx } from '../../db/database.ts'
import { demandWritable, readSentDicomFields } from '../altered/study-edit.ts'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { editsOf } from '../separation/confirmed-patient.ts'
import type { NamedImage } from '../separation/named-images.command.ts'
import { listObstacles } from '../separation/obstacles.command.ts'
import { planSplit, spellingsOf } from '../separation/plan-split.command.ts'
import { type Confirmed, insertSeparation } from '../separation/separation.sql.ts'
import { lockStoredStudy } from '../storage/ingest.sql.ts'
import type { Demographics } from '../storage/image-facts.ts'
import { demandPatientShown } from './hidden-names.command.ts'
import { type Clash, findClashes } from '../altered/find-clashes.ts'
import { presentClashes } from './mrn-clashes.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { findOwnIssuer, listMrnHolders, takeTurnForMrn } from '../altered/mrn-holders.sql.ts'

const confirmedFields = [
  'patient_name',
  'patientid',
  'patient_birth_date',
  'patient_sex',
  'accession_number',
  'study_description',
] as const satisfies readonly (keyof Confirmed)[]

export const split: Handler<typeof studySplit> = async ({ services, input, caller, on, fail }) => {
  demandPatientShown(on.membership.fieldFlags)
  const { record } = on
  const reason = (input.reason ?? '').trim()
  if (reason.length > maxSplitReason) throw fail('INVALID_FIELD', { subtype: 'reason' })
  if (input.namespace_id !== undefined && input.namespace_id !== record.phi_namespace)
    throw fail('NOT_AVAILABLE', { subtype: 'namespace_id' })
  const sent = readSentDicomFields(input)
  const confirmed: Confirmed = Object.fromEntries(
    confirmedFields.flatMap((tag) => (sent[tag] === undefined ? [] : [[tag, sent[tag]]])),
  )
  const plan = await planSplit(services, record, { parts: input.move ?? [], sopUids: input.image_uids ?? [] })
  if (!plan) throw fail('NOT_AVAILABLE', { subtype: 'of-sender' })
  if (plan.digest !== input.digest) throw fail('STALE')
  if (plan.hasUnknown) throw fail('INVALID_FIELD', { subtype: 'image_uids' })
  const [moved] = plan.moves
  const [staying] = plan.stays
  if (!moved || !staying) throw fail('INVALID_FIELD', { subtype: 'move' })
  demandWritable(changesOf(confirmed, moved))
  const uuid = randomUUID()
  const toStudyUid = newUid(services.config.uidRoot)
  await services.db.transaction().execute(async (tx) => {
    const stored = await lockStoredStudy(tx, plan.key)
    if (!stored) throw fail('STALE')
    const [obstacle] = await listObstacles(tx, record, plan.key, caller.userUuid)
    if (obstacle === 'locked') throw fail('LOCKED')
    if (obstacle === 'running') throw fail('RUNNING')
    if (obstacle) throw fail('NOT_AVAILABLE', { subtype: obstacle })
    const clashes = await findOtherHolders(tx, record.account_uuid, confirmed, [moved, ...plan.moves.slice(1)])
    if (clashes.length > 0 && !input.mrn_reason) {
      const mrn = confirmed.patientid ?? moved.demographics.patientid
      throw fail('MRN_HELD', { subtype: 'patientid', data: await presentClashes(caller, mrn, clashes) })
    }
    const isBegun = await insertSeparation(tx, {
      uuid,
      kind: 'split',
      is_part: false,
      to_generation: 1,
      to_up_to_seq: 0,
      written: {},
      account_uuid: record.account_uuid,
      phi_namespace: record.phi_namespace,
      study_uuid: record.uuid,
      study_uid: record.study_uid,
      study_generation: plan.key.generation,
      study_key: stored.key,
      to_study_uuid: null,
      to_study_uid: toStudyUid,
      confirmed,
      moved_identities: spellingsOf(plan.moves),
      kept_identities: spellingsOf(plan.stays),
      kept_demographics: staying.demographics,
      series_uids: plan.wholeSeries,
      up_to_seq: plan.upToSeq,
      seqs: plan.moves.map(({ instance }) => instance.seq),
      reason: [reason, input.mrn_reason].filter(Boolean).join(' · '),
      user_uuid: caller.userUuid,
    })
    if (!isBegun) throw fail('RUNNING')
    const about = { userUuid: caller.userUuid, accountUuid: record.account_uuid, studyUuid: record.uuid }
    const work = { group: `separation:${record.phi_namespace}`, about }
    await enqueue(tx, declaredJobs.makeSeparation, { separationUuid: uuid }, work)
  })
  return { uuid }
}

/** Values that came with the images are taken as they are; others must be writable into images. */
function changesOf(confirmed: Confirmed, { demographics }: NamedImage): Confirmed {
  return Object.fromEntries(
    Object.entries(confirmed).filter(([tag, value]) => value !== demographics[tag as keyof Demographics]),
  )
}

/** Records of other people under the MRN that the new record will have. */
async function findOtherHolders(
  tx: Tx,
  accountUuid: string,
  confirmed: Confirmed,
  moves: readonly [NamedImage, ...NamedImage[]],
): Promise<Clash[]> {
  const [{ demographics: came }] = moves
  const issuer = await findOwnIssuer(tx, accountUuid)
  const edits = editsOf(came, confirmed, { issuer, moved: spellingsOf(moves), who: '' })
  const patient = { ...came, ...Object.fromEntries(edits.map((edit) => [edit.tag, edit.new])) }
  // the images say so themselves
  if (!edits.some(({ tag }) => tag === 'patientid') || patient.patientid === '') return []
  await takeTurnForMrn(tx, accountUuid, patient.patientid)
  const holders = await listMrnHolders(tx, accountUuid, [patient.patientid])
  return findClashes(await findOwnNames(tx, accountUuid), patient, holders)
}
