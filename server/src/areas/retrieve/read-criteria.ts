import type { InputOf } from '@hilum/contract/call'
import type { destinationSearch } from '@hilum/contract/calls/retrieve'
import { ApiError } from '@hilum/contract/errors'
import type { StudyCriteria } from '../../outbound/pacs/find-studies.ts'

type Sent = Pick<
  InputOf<typeof destinationSearch>,
  | 'patient_name'
  | 'patientid'
  | 'accession_number'
  | 'study_description'
  | 'modality'
  | 'start_datetime'
  | 'end_datetime'
>

/** Values of LO and PN have at most 64 characters. */
const maxLength = 64
const dayMs = 86_400_000

/** By which the clock of the furthest time zone is ahead of UTC. */
const aheadMs = 14 * 3_600_000

/**
 * The query of a search, from the parameters that were sent (RETRIEVE-06, RETRIEVE-08, RETRIEVE-09). Exams have no dates to
 * come; the steps of a worklist have.
 * @throws ApiError INSUFFICIENT_CRITERIA, INVALID_VALUE naming the field
 */
export function readCriteria(sent: Sent, { isWorklist = false } = {}): StudyCriteria {
  const read = (field: keyof Sent): string => {
    const text = sent[field]?.trim() ?? ''
    // a backslash would be several values, control characters are none
    if (text.length > maxLength || /[\\\p{Cc}]/u.test(text)) throw new ApiError('INVALID_VALUE', { subtype: field })
    return text
  }
  const modality = read('modality').toUpperCase()
  if (modality !== '' && !/^[A-Z0-9_ ]{1,16}$/.test(modality))
    throw new ApiError('INVALID_VALUE', { subtype: 'modality' })
  const criteria = {
    patientName: read('patient_name'),
    patientId: read('patientid').replaceAll('%', '*'),
    accessionNumber: read('accession_number'),
    description: read('study_description'),
    modality,
    firstDate: dayOf(read('start_datetime'), 'start_datetime', 0),
    // the first moment that is not searched any more: its last day is the one of the moment before
    lastDate: dayOf(read('end_datetime'), 'end_datetime', 1),
  }
  const { patientName, patientId, accessionNumber, description } = criteria
  const isEmpty = [patientName, patientId, accessionNumber, description].every((one) => /^[*?%\s]*$/.test(one))
  if (isEmpty && modality === '') throw new ApiError('INSUFFICIENT_CRITERIA')
  if (criteria.firstDate && criteria.lastDate && criteria.firstDate > criteria.lastDate)
    throw new ApiError('INVALID_VALUE', { subtype: 'end_datetime' })
  const today = new Date(Date.now() + aheadMs).toISOString().slice(0, 10).replaceAll('-', '')
  if (!isWorklist && criteria.firstDate > today) throw new ApiError('INVALID_VALUE', { subtype: 'start_datetime' })
  if (!isWorklist && criteria.lastDate > today) throw new ApiError('INVALID_VALUE', { subtype: 'end_datetime' })
  return criteria
}

/**
 * YYYYMMDD of a moment, or of `msBefore` it.
 * @param text `YYYY-MM-DD`, `YYYYMMDD`, with a time behind it or without; the zone is that of the archive
 */
function dayOf(text: string, field: string, msBefore: number): string {
  if (text === '') return ''
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[ T](\d{2}):?(\d{2})(?::?(\d{2}))?)?$/.exec(text)
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match ?? []
  const at = match
    ? Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
    : NaN
  const isReal = match && new Date(at).toISOString().startsWith(`${year}-${month}-${day}`)
  if (!isReal || Math.abs(at) > 100_000 * dayMs) throw new ApiError('INVALID_VALUE', { subtype: field })
  return new Date(at - msBefore).toISOString().slice(0, 10).replaceAll('-', '')
}
