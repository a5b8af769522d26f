import { type Correction, correctFile } from '@hilum/dicom/node/correct-file'
import { DicomReadError } from '@hilum/dicom/read-error'
import { readHeader } from '@hilum/dicom/read'
import { concatBytes } from '@hilum/dicom/write-part10'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import { findOutgoingRecord, listIdentitiesOfRecord } from '../altered/outgoing-record.sql.ts'
import { correctionOf } from '../altered/record-edits.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { receiveImage, TRANSFER_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import { factsOfHeader, type ImageFacts } from '../storage/image-facts.ts'

/** A report of some thousand measurements; more is none of a viewer. */
export const MAX_REPORT_BYTES = 4 * 1024 * 1024

/** Structured reports, but for key object notes. Source: PS3.4 B.5. */
const REPORT = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.88\.(?!59$)/

type Refused = { refusal: string; status: 400 | 409 }

/**
 * Stores a structured report as an instance of the record's study, on record as `IMAGE_ADDED`. The viewer was given the
 * patient as corrected; stored images have the patient as received, so the report is put back before it is stored and
 * leaves corrected as they do.
 */
export async function storeMeasurementReport(
  services: Services,
  caller: Caller,
  { record, membership }: Pick<StudyAccess, 'record' | 'membership'>,
  report: Uint8Array,
): Promise<{ seriesUid: string; sopUid: string } | Refused> {
  const { db } = services
  const outgoing = await findOutgoingRecord(db, record.phi_namespace, record.uuid)
  const identities = await listIdentitiesOfRecord(db, record.phi_namespace, record.uuid)
  if (outgoing?.mixed_patients)
    return {
      status: 409,
      refusal: 'The images of this study name more than one patient; measurements can be kept once that is settled',
    }
  const read = readReport(report, record.study_uid, outgoing && correctionOf(outgoing))
  if ('refusal' in read) return read
  const { demographics } = read.facts
  if (identities.length > 0 && identities.every((one) => isOtherPatient(one, demographics)))
    return { status: 409, refusal: 'The report names another patient than the images of the study' }
  const { facts } = await receiveImage(
    services,
    {
      namespaceUuid: record.phi_namespace,
      accountUuid: membership.accountUuid,
      source: 'upload',
      actor: caller.userUuid,
      isByKey: caller.kind === 'key',
      quietSeconds: TRANSFER_QUIET_SECONDS,
      isOnRecord: true,
      expectedStudyUid: record.study_uid,
    },
    oneChunk(read.bytes),
  )
  await writeStudyAudit(db, caller, record, 'IMAGE_ADDED', { kind: 'measurements', sop_uid: facts.sopUid })
  return { seriesUid: facts.seriesUid, sopUid: facts.sopUid }
}

/** The report as it is stored, with the patient as the images were received. */
function readReport(
  report: Uint8Array,
  studyUid: string,
  correction: Correction | undefined,
): { bytes: Uint8Array; facts: ImageFacts } | Refused {
  try {
    const read = readHeader(report, { size: report.length })
    if (read.kind !== 'header') return { status: 400, refusal: 'The report ends too soon' }
    const { sopClassUid, studyUid: named } = read.header
    if (!REPORT.test(sopClassUid)) return { status: 409, refusal: 'Only structured reports are taken here' }
    if (named !== studyUid) return { status: 409, refusal: 'The report belongs to another study than the one named' }
    if (!correction) return { bytes: report, facts: factsOfHeader(read.header) }
    const { prefix, tailOffset } = correctFile(report, read.header, backwards(correction))
    const bytes = concatBytes([prefix, report.subarray(tailOffset)])
    const again = readHeader(bytes, { size: bytes.length })
    if (again.kind !== 'header') return { status: 400, refusal: 'The report ends too soon' }
    return { bytes, facts: factsOfHeader(again.header) }
  } catch (error) {
    if (error instanceof DicomReadError) return { status: 400, refusal: error.message }
    throw error
  }
}

/** From the values in force to those that came. */
function backwards({ edits, modifiedAt }: Correction): Correction {
  return {
    modifiedAt,
    edits: edits.map(({ tag, old, new: now, isMultiple = false }) => ({ tag, old: now, new: old, isMultiple })),
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
