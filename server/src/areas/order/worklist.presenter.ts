import type { DicomJson, JsonAttribute } from '@hilum/dicom/json'
import type { FoundStep, ScheduledStep } from './worklist.sql.ts'

/** The Scheduled Procedure Step Sequence. */
export const stepSequence = '00400100'

/**
 * A step as a worklist tells it. Names that a modality must have and that nobody gave are made of the order's own, always
 * the same, so that the images of all steps come as one study. Source: PS3.4 Table K.6-1.
 */
export function presentStep(step: ScheduledStep): DicomJson {
  const short = (uuid: string) => uuid.replaceAll('-', '').slice(0, 16)
  return {
    '00080050': attribute('SH', step.accession_number),
    '00080090': personName(step.referring_physician),
    '00100010': personName(step.patient_name),
    '00100020': attribute('LO', step.patientid),
    '00100021': attribute('LO', step.issuer),
    '00100030': attribute('DA', step.patient_birth_date),
    '00100040': attribute('CS', step.patient_sex),
    '0020000D': attribute('UI', step.study_uid || studyUidOf(step.order_uuid)),
    '00321032': personName(step.referring_physician),
    '00321060': attribute('LO', step.requested_procedure_description || step.scheduled_procedure_step_description),
    '00401001': attribute('SH', step.requested_procedure_id || step.accession_number || short(step.order_uuid)),
    '00402016': attribute('LO', step.order_number),
    [stepSequence]: {
      vr: 'SQ',
      Value: [
        {
          '00080060': attribute('CS', step.modality),
          '00400001': attribute('AE', step.scheduled_station_aetitle),
          '00400002': attribute('DA', step.scheduled_procedure_step_start_date),
          '00400003': attribute('TM', step.scheduled_procedure_step_start_time),
          '00400007': attribute('LO', step.scheduled_procedure_step_description),
          '00400009': attribute('SH', step.scheduled_procedure_step_id || short(step.uuid)),
          '00400020': attribute('CS', 'SCHEDULED'),
        },
      ],
    },
  }
}

/** A step as the public API tells it. */
export function presentFoundStep(step: FoundStep) {
  const { uuid: _uuid, order_uuid, order_number: _number, issuer: _issuer, study_uid, ...rest } = step
  return { ...rest, study_uid: study_uid || studyUidOf(order_uuid) }
}

/** The study that the images of an order shall be: 2.25 and its uuid as a number (PS3.5 B.2). */
function studyUidOf(orderUuid: string): string {
  return `2.25.${BigInt(`0x${orderUuid.replaceAll('-', '')}`)}`
}

function attribute(vr: string, value: string): JsonAttribute {
  return value === '' ? { vr } : { vr, Value: [value] }
}

function personName(name: string): JsonAttribute {
  const [Alphabetic, Ideographic, Phonetic] = name.split('=')
  const groups = {
    ...(Alphabetic ? { Alphabetic } : {}),
    ...(Ideographic ? { Ideographic } : {}),
    ...(Phonetic ? { Phonetic } : {}),
  }
  return Object.keys(groups).length === 0 ? { vr: 'PN' } : { vr: 'PN', Value: [groups] }
}
