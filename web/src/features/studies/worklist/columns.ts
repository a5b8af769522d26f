import type { Study } from '@hilum/contract/entities/study'
import { type DateFormat, formatDate, formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { arrivalOf } from '../../../labels/arrival.ts'
import { t } from '../../../labels/label.ts'

/** Preferences of the reader, for a cell. */
export interface Reader {
  dateFormat: DateFormat
  timeZone: string
}

interface WorklistColumn {
  id: string
  label: () => string
  /** Field of the wire that the server sorts by; undefined where it cannot. */
  sort?: string
  text: (study: Study, reader: Reader) => string
}

/** All columns of the worklist, in the order that they have until somebody chooses another. */
export const gridColumns: readonly WorklistColumn[] = [
  {
    id: 'patient',
    label: () => t('search.field.patientName'),
    sort: 'patient_name',
    text: ({ patient_name: name }) => nameText(name) || t('card.noName'),
  },
  { id: 'mrn', label: () => t('search.field.mrn'), sort: 'patientid', text: ({ patientid }) => patientid },
  {
    id: 'birthDate',
    label: () => t('search.field.birthDate'),
    sort: 'patient_birth_date',
    text: ({ patient_birth_date: date }, { dateFormat }) => formatDate(date, dateFormat),
  },
  { id: 'sex', label: () => t('search.field.sex'), text: ({ patient_sex: sex }) => sex },
  {
    id: 'studyDate',
    label: () => t('search.field.studyDate'),
    sort: 'study_date',
    text: ({ study_date: date }, { dateFormat }) => formatDate(date, dateFormat),
  },
  {
    id: 'modality',
    label: () => t('search.field.modality'),
    sort: 'modality',
    text: ({ modality }) => modality.replaceAll('\\', '/'),
  },
  {
    id: 'description',
    label: () => t('search.field.description'),
    sort: 'study_description',
    text: ({ study_description: description }) => description,
  },
  {
    id: 'accession',
    label: () => t('search.field.accession'),
    sort: 'accession_number',
    text: ({ accession_number: number }) => number,
  },
  { id: 'group', label: () => t('search.group'), text: ({ phi_namespace_name: name }) => name },
  {
    id: 'status',
    label: () => t('list.work'),
    text: (study) => [...warnings(study), workText(study)].join(' · '),
  },
  { id: 'tags', label: () => t('search.field.tags'), text: ({ tags }) => tags.join(', ') },
  {
    id: 'referring',
    label: () => t('search.field.referring'),
    sort: 'referring_physician',
    text: ({ referring_physician: name }) => nameText(name),
  },
  {
    id: 'uploaded',
    label: () => t('search.field.uploaded'),
    sort: 'created',
    text: ({ created }, { dateFormat, timeZone }) => formatStamp(created, dateFormat, timeZone),
  },
  { id: 'images', label: () => t('grid.images'), text: ({ image_count: count }) => String(count) },
]

/** Shown until somebody chooses others. */
export const standardColumns: readonly string[] = [
  'patient',
  'mrn',
  'birthDate',
  'studyDate',
  'modality',
  'description',
  'accession',
  'group',
  'status',
  'uploaded',
]

/** Setting of the person that keeps the chosen columns: a JSON list of ids in their order. */
export const columnsKey = 'worklist_columns'

/** The chosen columns; those that this version does not know are left out, and none at all means the standard ones. */
export function readColumns(setting: string | undefined): readonly string[] {
  const chosen = parseList(setting).filter((id) => gridColumns.some((column) => column.id === id))
  return chosen.length > 0 ? [...new Set(chosen)] : standardColumns
}

/** GRID-04 */
export const gridRows = [10, 25, 50, 100] as const

/** Rows until somebody chooses: as many as a screen shows. */
const usualRows = 25

/** Rows as the address asks for them; the usual number for anything else. */
export function readWorklistRows(rows: number | undefined): number {
  return gridRows.find((one) => one === rows) ?? usualRows
}

export interface WorklistSort {
  column: string
  isDescending: boolean
}

/** The order as the address writes it, e.g. `mrn-asc`; newest upload first for anything else. */
export function readGridSort(sort: string | undefined): WorklistSort {
  const parts = /^(\w+)-(asc|desc)$/.exec(sort ?? '')
  const known = gridColumns.find(({ id, sort: field }) => id === parts?.[1] && field)
  return known ? { column: known.id, isDescending: parts?.[2] === 'desc' } : { column: 'uploaded', isDescending: true }
}

/** Whether an address names an order of the worklist. */
export function knowsGridSort(sort: string): boolean {
  const { column, isDescending } = readGridSort(sort)
  return sort === `${column}-${isDescending ? 'desc' : 'asc'}`
}

/** The order as the wire takes it. */
export function sortExpression({ column, isDescending }: WorklistSort): string {
  const field = gridColumns.find(({ id }) => id === column)?.sort ?? 'created'
  return `${field}-${isDescending ? 'desc' : 'asc'}`
}

function parseList(setting: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(setting ?? '[]')
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return [] // a setting that another client wrote
  }
}

/** The warnings of a card: the study is not whole, or not of one patient. */
function warnings(study: Study): string[] {
  const arrival = arrivalOf(study)
  return [...(arrival ? [arrival.label] : []), ...(study.mixed_patients > 0 ? [t('card.mixedPatients')] : [])]
}

function workText({ work_status: status, taken_by_name: name }: Study): string {
  return name ? t('work.takenBy', { status: t(`work.${status}`), name }) : t(`work.${status}`)
}
