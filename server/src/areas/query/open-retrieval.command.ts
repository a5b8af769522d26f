import { Status } from '@hilum/dicom/dimse/status'
import { findRecordByUid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import { MustNotSendError } from '../../outbound/pacs/outgoing-instance.ts'
import type { Services } from '../../services.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { correctionOf } from '../altered/record-edits.ts'
import { listMatchingStudies, type StudyMatch } from '../dicomweb/qido.sql.ts'
import type { ClearExam, Cleared } from '../push/clear-for-move.command.ts'
import type { Departures } from '../push/begin-departure.command.ts'
import { findDepartures } from '../altered/departure.sql.ts'
import { reasons } from '../push/obstacle-words.ts'
import { type Outgoing, outgoingOf } from '../push/outgoing.ts'
import { sentAsOf } from '../altered/sent-as.ts'
import { listImages } from '../storage/record-images.sql.ts'
import { QueryError, type RetrieveQuery } from './read-query.ts'

const maxStudies = 1000

/** Images that a peer may have, and those that must not leave. */
export interface OpenedRetrieval {
  studies: { record: StudyRecord; images: number }[]
  instances: Outgoing[]
  /** SOP Instance UIDs with the reason in words without patient data. */
  refused: { sopInstance: string; reason: string }[]
}

/**
 * The images that a retrieval names, with the corrections of each record as at every other door. A study of several patients is not
 * sent, as it is not pushed.
 * @param clear what is asked of each study before it is sent
 * @throws QueryError
 */
export async function openRetrieval(
  services: Services,
  scope: StudyScope,
  query: RetrieveQuery,
  signal: AbortSignal,
  clear: ClearExam,
): Promise<OpenedRetrieval> {
  const { db } = services
  const opened: OpenedRetrieval = { studies: [], instances: [], refused: [] }
  for (const match of await findStudies(services, scope, query)) {
    const record = await findRecordByUid(db, match.phi_namespace, match.study_uid)
    if (!record) continue
    const list = () => listNamed(services, record, query)
    const cleared = await clear(record, list)
    if ('reason' in cleared) {
      const refused = (await list()).map((one) => ({ sopInstance: one.sop_uid, reason: cleared.reason }))
      opened.refused.push(...refused)
      continue
    }
    const { images, correct } = cleared
    if (images.length > 0) opened.studies.push({ record, images: images.length })
    opened.instances.push(...images.map((one) => outgoingOf(services, one, correct, signal)))
  }
  return opened
}

/**
 * An asker for the images itself (C-GET) gets them as the record holds them; one that is a destination gets none that would
 * lie there under two patients.
 */
export function clearForAsker(
  { db }: Pick<Services, 'db'>,
  asker: { destinationUuid: string; departures: Departures } | undefined,
): ClearExam {
  return async (record, list): Promise<Cleared> => {
    const images = await list()
    // after the images: one of another patient that came before they were listed is told of here
    const outgoing = await findOutgoingRecord(db, record.phi_namespace, record.uuid)
    if (!outgoing) return { reason: reasons.gone }
    if (outgoing.mixed_patients) return { reason: reasons.mixed }
    const correction = correctionOf({ ...outgoing, mixed_patients: false })
    if (!asker) return { images, correct: async () => correction }
    const sentAs = sentAsOf(outgoing)
    const { destinationUuid, departures } = asker
    const before = await findDepartures(db, record, destinationUuid)
    if (before.former && !before.former.sentAs.equals(sentAs)) return { reason: reasons.formerPatient }
    const departing = { record, destinationUuid, sentAs, before }
    const correct = async () => {
      if (!(await departures.maySend(departing))) throw new MustNotSendError(reasons.departing)
      return correction
    }
    return { images, correct }
  }
}

function listNamed({ db }: Services, record: StudyRecord, { seriesUids, sopUids }: RetrieveQuery) {
  return listImages(db, record, { ...(seriesUids ? { seriesUids } : {}), ...(sopUids ? { sopUids } : {}) })
}

async function findStudies(
  { db }: Services,
  scope: StudyScope,
  { records, patientId }: RetrieveQuery,
): Promise<StudyMatch[]> {
  const found = await listMatchingStudies(db, scope, { where: records, limit: maxStudies + 1, offset: 0 })
  if (found.length > maxStudies)
    throw new QueryError(Status.OutOfResources, `More than ${maxStudies} studies at once are not sent`)
  if (patientId === undefined) return found
  const ofPatient = found.filter((one) => one.patientid === patientId)
  if (new Set(ofPatient.map((one) => one.issuer)).size > 1) {
    throw new QueryError(Status.DataSetDoesNotMatch, 'Several issuers gave this Patient ID: name the studies')
  }
  return ofPatient
}
