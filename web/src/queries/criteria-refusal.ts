import { ApiFailure } from '../api/api-failure.ts'
import { type LabelKey, t } from '../labels/label.ts'

/** Fields of `destination/search` as the screens call them. */
const fieldLabels = {
  patient_name: 'retrieve.name',
  patientid: 'retrieve.mrn',
  accession_number: 'retrieve.accession',
  study_description: 'retrieve.description',
  modality: 'retrieve.modality',
  start_datetime: 'retrieve.from',
  end_datetime: 'retrieve.to',
} as const satisfies Record<string, LabelKey>

/**
 * Fault in the criteria of a search that the server refused for them, in words (RETRIEVE-08); undefined for any other
 * failure, which is none of the person's.
 * @param mrnLabel what the screen calls the MRN
 */
export function criteriaRefusal(failure: unknown, mrnLabel?: 'process.patientId'): string | undefined {
  if (!(failure instanceof ApiFailure)) return undefined
  if (failure.code === 'INSUFFICIENT_CRITERIA') return t('retrieve.fault.value')
  if (failure.code !== 'INVALID_VALUE') return undefined
  const field = Object.entries(fieldLabels).find(([name]) => name === failure.subtype)
  if (!field) return undefined
  const [name, label] = field
  return t('retrieve.refusedField', { field: t(name === 'patientid' ? (mrnLabel ?? label) : label) })
}
