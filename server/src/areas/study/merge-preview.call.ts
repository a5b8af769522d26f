import type { studyMergePreview } from '@hilum/contract/calls/study-merge'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../handler.ts'
import { findReach } from '../separation/obstacles.sql.ts'
import type { PlannedSide } from '../separation/plan-merge.command.ts'
import { countRenamed } from '../separation/merge.sql.ts'
import { openMergePlan } from '../separation/open-merge-plan.command.ts'
import { listShownOtherwise } from '../separation/shown-exam.command.ts'
import { hiddenFields } from './field-access.policy.ts'

export const mergePreview: Handler<typeof studyMergePreview> = async (request) => {
  const { services, on } = request
  const { moves, stays, verdict, digest, chosen } = await openMergePlan(services.db, request)
  const renamed =
    moves.key && stays.key
      ? await countRenamed(services.db, moves.key, stays.key, chosen?.seqs)
      : { images: 0, series: 0 }
  const { record, key, side } = moves
  const hidden = hiddenFields(on.membership.fieldFlags)
  const shown = chosen && key && side ? await listShownOtherwise(services, { record, key, side }, chosen.seqs) : []
  return {
    digest,
    moves: { ...(await presentSide(services.db, moves)), ...chosen?.moves },
    stays: await presentSide(services.db, stays),
    verdict,
    renamed_images: renamed.images,
    renamed_series: renamed.series,
    rest_images: chosen?.rest.images ?? 0,
    rest_series: chosen?.rest.series ?? 0,
    parted_series: chosen?.partedSeries.length ?? 0,
    rest_shows: shown.filter(({ field }) => !hidden.includes(field)),
  }
}

const nothing = {
  images: 0,
  series: 0,
  attachments: 0,
  patient_name: '',
  patientid: '',
  issuer: '',
  patient_birth_date: '',
  patient_sex: '',
  accession_number: '',
  study_description: '',
  study_date: '',
}

async function presentSide(db: Db, { record, key, side, obstacles }: PlannedSide) {
  const {
    images,
    series,
    attachments,
    patient_name,
    patientid,
    issuer,
    patient_birth_date,
    patient_sex,
    accession_number,
    study_description,
    study_date,
  } = side ?? nothing
  const reach = key ? await findReach(db, key, record.uuid) : { places: 0, copies: 0, links: 0, pushed_to: [] }
  return {
    images,
    series,
    attachments,
    patient_name,
    patientid,
    issuer,
    patient_birth_date,
    patient_sex,
    accession_number,
    study_description,
    study_date,
    reach,
    obstacles,
  }
}
