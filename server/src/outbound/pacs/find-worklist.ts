import { cleanText } from '@hilum/dicom/clean-text'
import type { DataSet } from '@hilum/dicom/data-set'
import { normaliseDate, normaliseTime } from '@hilum/dicom/dates'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { formatStatus, kindOfStatus } from '@hilum/dicom/dimse/status'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { findDeclaredText, findItems } from '@hilum/dicom/values'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { overAssociation } from './ended-association.ts'
import { findByName } from './find-by-name.ts'
import { fits, type StudyCriteria } from './find-studies.ts'

/** A scheduled step as the worklist of a peer describes it, U+FFFD for what its character set does not have. Dates as YYYYMMDD. */
export interface FoundOrder {
  patient_name: string
  patient_birth_date: string
  patient_sex: string
  patientid: string
  issuer: string
  accession_number: string
  order_number: string
  referring_physician: string
  study_uid: string
  requested_procedure_id: string
  requested_procedure_description: string
  modality: string
  scheduled_station_aetitle: string
  scheduled_procedure_step_start_date: string
  scheduled_procedure_step_start_time: string
  scheduled_procedure_step_description: string
  scheduled_procedure_step_id: string
}

const limits = { negotiationMs: 15_000, idleMs: 60_000, stallMs: 30_000 }

/**
 * Asks a DICOM node for its worklist (Modality Worklist C-FIND, PS3.4 K). Answers that fit no criterion are left out, and
 * those that name nobody.
 * @throws DimseError with the reason in words
 */
export async function findWorklist(
  peer: Peer,
  criteria: StudyCriteria,
  { maxOrders, signal }: { maxOrders: number; signal: AbortSignal },
): Promise<{ orders: FoundOrder[]; isCut: boolean }> {
  const syntaxes = [ExplicitLittleEndian, ImplicitLittleEndian]
  const proposal = { abstractSyntax: QueryClass.WorklistFind, transferSyntaxes: syntaxes }
  const association = await requestAssociation(peer, [proposal], { limits, signal })
  const found = new Map<string, FoundOrder>()
  const { status, comment, isCut } = await overAssociation(association, () =>
    findByName(association, QueryClass.WorklistFind, criteria.patientName, keysOf(criteria), (answer) => {
      const order = readOrder(answer)
      const isOfSomebody = order.patientid !== '' || order.patient_name !== ''
      const compared = { ...order, study_date: order.scheduled_procedure_step_start_date }
      if (isOfSomebody && fits(compared, criteria)) found.set(JSON.stringify(order), order)
      return found.size > maxOrders ? 'enough' : 'more'
    }),
  )
  if (kindOfStatus(status) !== 'success') {
    throw new DimseError('aborted', `The peer answered ${formatStatus(status)}${comment ? `: ${comment}` : ''}`)
  }
  return { orders: [...found.values()].slice(0, maxOrders), isCut: isCut || found.size > maxOrders }
}

function keysOf({ patientId, accessionNumber, modality, firstDate, lastDate }: StudyCriteria) {
  const days = firstDate || lastDate ? (firstDate === lastDate ? firstDate : `${firstDate}-${lastDate}`) : ''
  const step: WriteElement[] = [
    { tag: Tag.Modality, vr: 'CS', value: modality },
    { tag: Tag.ScheduledStationAETitle, vr: 'AE', value: '' },
    { tag: Tag.ScheduledProcedureStepStartDate, vr: 'DA', value: days },
    { tag: Tag.ScheduledProcedureStepStartTime, vr: 'TM', value: '' },
    { tag: Tag.ScheduledProcedureStepDescription, vr: 'LO', value: '' },
    { tag: Tag.ScheduledProcedureStepID, vr: 'SH', value: '' },
  ]
  return (nameKey: string): WriteElement[] => [
    { tag: Tag.AccessionNumber, vr: 'SH', value: accessionNumber },
    { tag: Tag.ReferringPhysicianName, vr: 'PN', value: '' },
    { tag: Tag.PatientName, vr: 'PN', value: nameKey },
    { tag: Tag.PatientID, vr: 'LO', value: patientId },
    { tag: Tag.IssuerOfPatientID, vr: 'LO', value: '' },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: '' },
    { tag: Tag.PatientSex, vr: 'CS', value: '' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '' },
    { tag: Tag.RequestedProcedureDescription, vr: 'LO', value: '' },
    { tag: Tag.ScheduledProcedureStepSequence, vr: 'SQ', value: [step] },
    { tag: Tag.RequestedProcedureID, vr: 'SH', value: '' },
    { tag: Tag.PlacerOrderNumberImagingServiceRequest, vr: 'LO', value: '' },
  ]
}

function readOrder(answer: DataSet): FoundOrder {
  const [step] = findItems(answer, Tag.ScheduledProcedureStepSequence)
  const textOf = (from: DataSet | undefined, tag: number) => cleanText((from && findDeclaredText(from, tag)) ?? '')
  const text = (tag: number) => textOf(answer, tag)
  return {
    patient_name: text(Tag.PatientName),
    patient_birth_date: normaliseDate(text(Tag.PatientBirthDate)),
    patient_sex: text(Tag.PatientSex),
    patientid: text(Tag.PatientID),
    issuer: text(Tag.IssuerOfPatientID),
    accession_number: text(Tag.AccessionNumber),
    order_number: text(Tag.PlacerOrderNumberImagingServiceRequest),
    referring_physician: text(Tag.ReferringPhysicianName),
    study_uid: text(Tag.StudyInstanceUID),
    requested_procedure_id: text(Tag.RequestedProcedureID),
    requested_procedure_description: text(Tag.RequestedProcedureDescription),
    modality: textOf(step, Tag.Modality),
    scheduled_station_aetitle: textOf(step, Tag.ScheduledStationAETitle).split('\\')[0] ?? '',
    scheduled_procedure_step_start_date: normaliseDate(textOf(step, Tag.ScheduledProcedureStepStartDate)),
    scheduled_procedure_step_start_time: normaliseTime(textOf(step, Tag.ScheduledProcedureStepStartTime)),
    scheduled_procedure_step_description: textOf(step, Tag.ScheduledProcedureStepDescription),
    scheduled_procedure_step_id: textOf(step, Tag.ScheduledProcedureStepID),
  }
}
