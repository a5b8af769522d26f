import type { DataSet } from '@hilum/dicom/data-set'
import { Status } from '@hilum/dicom/dimse/status'
import type { DicomJson } from '@hilum/dicom/json'
import { tagToHex } from '@hilum/dicom/tags'
import { findItems } from '@hilum/dicom/values'
import type { WriteElement } from '@hilum/dicom/write-part10'
import type { Db } from '../../db/database.ts'
import { type HeaderKey, readHeaderKey } from '../dicomweb/match-header.ts'
import { presentStep, stepSequence } from '../order/worklist.presenter.ts'
import { listScheduledSteps } from '../order/worklist.sql.ts'
import { elementOf } from './answer-of.ts'
import { keysIn, QueryError } from './read-query.ts'

const pageSize = 200
/** Steps looked at for one query. */
const maxSteps = 5000

interface WorklistQuery {
  /** Attributes that the modality wants to be told, as eight hex digits. */
  asked: string[]
  /** Keys inside the scheduled step, where the query names some. */
  askedOfStep: string[]
  keys: HeaderKey[]
  days: { from: string; until: string }
  isPartial: boolean
}

/** All that a step can be asked for. */
const known = presentStep({
  uuid: '0',
  order_uuid: '0',
  modality: '',
  scheduled_procedure_step_id: '',
  requested_procedure_id: '',
  requested_procedure_description: '',
  scheduled_station_aetitle: '',
  scheduled_procedure_step_start_date: '',
  scheduled_procedure_step_start_time: '',
  scheduled_procedure_step_description: '',
  accession_number: '',
  order_number: '',
  patientid: '',
  issuer: '',
  patient_name: '',
  patient_sex: '',
  patient_birth_date: '',
  referring_physician: '',
  study_uid: '',
})
const knownOfStep = new Set(Object.keys(known[stepSequence]?.Value?.[0] ?? {}))

/**
 * Reads the identifier of a query for a worklist (PS3.4 K.4.1.1.3). A key that cannot be matched makes it partial.
 * @throws QueryError for a value that is none
 */
export function readWorklistQuery(identifier: DataSet | undefined): WorklistQuery {
  if (!identifier) throw new QueryError(Status.CannotUnderstand, 'The query has no readable identifier')
  const query: WorklistQuery = {
    asked: [],
    askedOfStep: [...(findItems(identifier, Number.parseInt(stepSequence, 16))[0]?.elements.keys() ?? [])]
      .filter((tag) => (tag & 0xffff) !== 0)
      .map(tagToHex),
    keys: [],
    days: { from: '', until: '' },
    isPartial: false,
  }
  for (const { name, values } of keysIn(identifier)) {
    query.asked.push(name)
    if (!Object.hasOwn(known, name)) query.isPartial = true
    for (const [path, value] of values) {
      if (value === '' || value === '*') continue
      const inner = path.split('.')[1]
      const isKnown = inner === undefined ? Object.hasOwn(known, path) : name === stepSequence && knownOfStep.has(inner)
      const key = isKnown ? readHeaderKey(path, value) : undefined
      if (key && 'reason' in key) throw new QueryError(Status.CannotUnderstand, key.reason)
      if (!key) query.isPartial = true
      else query.keys.push(key)
      if (path === `${stepSequence}.00400002`) query.days = daysOf(value)
    }
  }
  return query
}

/** A day, or a range of days (PS3.4 C.2.2.2.5). */
function daysOf(value: string): { from: string; until: string } {
  const [from = '', until = from] = value.split('-').map((one) => one.trim())
  return { from, until }
}

/**
 * The steps of a group that a modality asks for, page by page.
 * @throws QueryError behind the last step that is given, when there are more than are looked at
 */
export async function* findSteps(
  db: Db,
  namespaceUuid: string,
  { keys, days }: WorklistQuery,
): AsyncGenerator<DicomJson> {
  for (let offset = 0; ; offset += pageSize) {
    const steps = await listScheduledSteps(db, namespaceUuid, days, { limit: pageSize, offset })
    if (steps.length > 0 && offset >= maxSteps) {
      throw new QueryError(Status.OutOfResources, `There are more than ${maxSteps} steps: narrow the query by date`)
    }
    for (const step of steps.map(presentStep)) if (keys.every(({ isMet }) => isMet(step))) yield step
    if (steps.length < pageSize) return
  }
}

/** The identifier of one answer: what was asked for, of the step what its item asks for. */
export function worklistAnswer(step: DicomJson, { asked, askedOfStep }: WorklistQuery): WriteElement[] {
  return asked.map((name) => {
    const element = elementOf(name, step[name])
    if (name !== stepSequence || askedOfStep.length === 0) return element
    const item = (step[name]?.Value?.[0] ?? {}) as DicomJson
    return { ...element, value: [askedOfStep.map((inner) => elementOf(inner, item[inner]))] }
  })
}
