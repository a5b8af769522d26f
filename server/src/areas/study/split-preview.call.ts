import type { studySplitPreview } from '@hilum/contract/calls/study-split'
import type { Handler } from '../handler.ts'
import { namesSeveralPatients } from '../ingest/patient-identity.ts'
import { listObstacles } from '../separation/obstacles.command.ts'
import { findReach } from '../separation/obstacles.sql.ts'
import type { NamedImage } from '../separation/named-images.command.ts'
import {
  compareSides,
  countLostReferences,
  patientOfMost,
  planSplit,
  spellingsOf,
} from '../separation/plan-split.command.ts'
import { demandPatientShown } from './hidden-names.command.ts'

export const splitPreview: Handler<typeof studySplitPreview> = async ({ services, input, caller, on, fail }) => {
  demandPatientShown(on.membership.fieldFlags)
  const { record } = on
  const plan = await planSplit(services, record, { parts: input.move ?? [], sopUids: input.image_uids ?? [] })
  const obstacles = await listObstacles(services.db, record, plan?.key, caller.userUuid)
  // images of a sender alone: nothing can be planned, and the answer says why
  if (!plan) return { ...nothing, obstacles }
  const { moves, stays, unread, digest } = plan
  if (plan.hasUnknown) throw fail('INVALID_FIELD', { subtype: 'image_uids' })
  if (moves.length === 0 || stays.length + unread === 0) throw fail('INVALID_FIELD', { subtype: 'move' })
  const [first] = moves as [NamedImage]
  const { accession_number, study_description, study_date } = first.demographics
  return {
    digest,
    moves: sideOf(moves),
    stays: sideOf(stays),
    exam: { accession_number, study_description, study_date },
    verdict: compareSides(plan),
    moves_mixed: Number(namesSeveralPatients(spellingsOf(moves))),
    stays_mixed: Number(namesSeveralPatients(spellingsOf(stays))),
    references_lost: countLostReferences(plan),
    unread,
    reach: await findReach(services.db, plan.key, record.uuid),
    obstacles,
  }
}

const nobody = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' }
const noSide = { images: 0, series: 0, patient: nobody }
const nothing = {
  digest: '',
  moves: noSide,
  stays: noSide,
  exam: { accession_number: '', study_description: '', study_date: '' },
  verdict: 'same' as const,
  moves_mixed: 0,
  stays_mixed: 0,
  references_lost: 0,
  unread: 0,
  reach: { places: 0, copies: 0, links: 0, pushed_to: [] },
}

function sideOf(images: readonly NamedImage[]) {
  const series = new Set(images.map(({ instance }) => instance.series_uid))
  return { images: images.length, series: series.size, patient: patientOfMost(images) }
}
