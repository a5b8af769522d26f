import { nameText } from '../../format/person-name.ts'

/** Value of a report line. Texts are as written; a reference is told by the kind of its target. */
type ReportValue =
  | { kind: 'heading' }
  | { kind: 'text'; text: string }
  | { kind: 'date'; date: string; time: string }
  /** Values of a container that runs on, written one after the other. */
  | { kind: 'prose'; values: readonly ProseValue[] }
  | { kind: 'refers'; to: 'image' | 'waveform' | 'object' | 'region' | 'span' | 'reference' }

type ProseValue = Exclude<ReportValue, { kind: 'prose' | 'heading' }>

export interface ReportLine {
  /** Place in the report, e.g. "1.2.1". */
  place: string
  level: number
  name: string
  value: ReportValue
}

export interface ReportContent {
  title: string
  patientName: string
  patientId: string
  /** YYYYMMDD and HHMMSS. */
  date: string
  time: string
  isComplete: boolean | undefined
  isVerified: boolean
  verifiers: readonly string[]
  lines: readonly ReportLine[]
  /** Whether lines were left out because there are too many, or too deep within each other. */
  isCut: boolean
}

type DicomObject = Readonly<Record<string, { Value?: unknown } | undefined>>

/** More than this a page cannot show in good time. */
const maxLines = 20_000
const maxLevel = 24

/**
 * A structured report as lines to read, from its attributes in the DICOM JSON model. Reads what is there: a damaged
 * part costs no other. Source: PS3.3 C.17.3, C.18.
 */
export function readReport(json: unknown): ReportContent {
  const object = isObject(json) ? json : {}
  const reading: Reading = { lines: [], count: 0, isCut: false }
  collect(object, '', 0, reading)
  const completion = textOf(object, '0040A491')
  const verifying = itemsOf(object, '0040A073')
  return {
    title: meaningOf(object, '0040A043'),
    patientName: personOf(object, '00100010'),
    patientId: textOf(object, '00100020'),
    date: textOf(object, '00080023'),
    time: textOf(object, '00080033'),
    isComplete: completion === '' ? undefined : completion === 'COMPLETE',
    isVerified: textOf(object, '0040A493') === 'VERIFIED',
    verifiers: verifying.map((one) => personOf(one, '0040A075')).filter(Boolean),
    lines: reading.lines,
    isCut: reading.isCut,
  }
}

/** A report as far as it is read. */
interface Reading {
  lines: ReportLine[]
  count: number
  isCut: boolean
}

/** Lines of all that stands within an object; values that run on are one paragraph. */
function collect(parent: DicomObject, place: string, level: number, reading: Reading): void {
  const runsOn = textOf(parent, '0040A050') === 'CONTINUOUS'
  let prose: Prose | undefined
  for (const [index, item] of itemsOf(parent, '0040A730').entries()) {
    if (reading.count >= maxLines || level > maxLevel) {
      reading.isCut = true
      break
    }
    reading.count++
    const own = place === '' ? String(index + 1) : `${place}.${index + 1}`
    const value = valueOf(item)
    if (runsOn && value.kind !== 'heading' && isContent(item)) {
      prose ??= beginProse(own, level, reading)
      prose.values.push(value)
      if (itemsOf(item, '0040A730').length > 0) prose.notes.push({ place: own, item })
      continue
    }
    endProse(prose, level, reading)
    prose = undefined
    addItem(item, own, level, reading)
  }
  endProse(prose, level, reading)
}

function addItem(item: DicomObject, place: string, level: number, reading: Reading): void {
  reading.lines.push({ place, level, name: meaningOf(item, '0040A043'), value: valueOf(item) })
  collect(item, place, level + 1, reading)
}

/** Content of a container, other than what describes it or says where it comes from. */
function isContent(item: DicomObject): boolean {
  return ['', 'CONTAINS'].includes(textOf(item, '0040A010'))
}

/** A paragraph of values without the names of their concepts; what one of them has below it is told after the paragraph. */
interface Prose {
  values: ProseValue[]
  notes: { place: string; item: DicomObject }[]
}

function beginProse(place: string, level: number, { lines }: Reading): Prose {
  const values: ProseValue[] = []
  lines.push({ place, level, name: '', value: { kind: 'prose', values } })
  return { values, notes: [] }
}

function endProse(prose: Prose | undefined, level: number, reading: Reading): void {
  for (const { place, item } of prose?.notes ?? []) addItem(item, `${place} `, level + 1, reading)
}

function valueOf(item: DicomObject): Exclude<ReportValue, { kind: 'prose' }> {
  if (item['0040DB73']) return { kind: 'refers', to: 'reference' }
  switch (textOf(item, '0040A040')) {
    case 'CONTAINER':
      return { kind: 'heading' }
    case 'TEXT':
      return text(textOf(item, '0040A160'))
    case 'CODE':
      return text(meaningOf(item, '0040A168'))
    case 'NUM':
      return text(measureOf(item))
    case 'PNAME':
      return text(personOf(item, '0040A123'))
    case 'UIDREF':
      return text(textOf(item, '0040A124'))
    case 'DATE':
      return { kind: 'date', date: textOf(item, '0040A121'), time: '' }
    case 'TIME':
      return { kind: 'date', date: '', time: textOf(item, '0040A122') }
    case 'DATETIME': {
      const stamp = textOf(item, '0040A120')
      return { kind: 'date', date: stamp.slice(0, 8), time: stamp.slice(8) }
    }
    case 'IMAGE':
      return { kind: 'refers', to: 'image' }
    case 'WAVEFORM':
      return { kind: 'refers', to: 'waveform' }
    case 'SCOORD':
    case 'SCOORD3D':
      return { kind: 'refers', to: 'region' }
    case 'TCOORD':
      return { kind: 'refers', to: 'span' }
    case 'COMPOSITE':
      return { kind: 'refers', to: 'object' }
    default:
      return text('')
  }
}

const text = (value: string) => ({ kind: 'text' as const, text: value })

/** A number with its unit, or why there is none. */
function measureOf(item: DicomObject): string {
  const measured = itemsOf(item, '0040A300')[0]
  if (!measured) return meaningOf(item, '0040A301')
  const unit = itemsOf(measured, '004008EA')[0]
  const code = unit ? textOf(unit, '00080100') : ''
  // UCUM's codes are how units are written, but for "no unit" and those in braces, which are words for programs.
  const isWritten = unit && textOf(unit, '00080102') === 'UCUM' && !/^(1|.*\{.*)$/.test(code)
  const written = isWritten ? code : unit && code !== '1' ? textOf(unit, '00080104') : ''
  return [textOf(measured, '0040A30A'), written].filter(Boolean).join(' ')
}

function meaningOf(object: DicomObject, tag: string): string {
  const code = itemsOf(object, tag)[0]
  return code ? textOf(code, '00080104') || textOf(code, '00080100') : ''
}

function itemsOf(object: DicomObject, tag: string): DicomObject[] {
  const value = object[tag]?.Value
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textOf(object: DicomObject, tag: string): string {
  const value = object[tag]?.Value
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return typeof first === 'string' || typeof first === 'number' ? String(first).trim() : ''
}

function personOf(object: DicomObject, tag: string): string {
  const value = object[tag]?.Value
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  if (!isObject(first)) return ''
  const groups = ['Alphabetic', 'Ideographic', 'Phonetic'].map((name) => {
    const group: unknown = first[name]
    return typeof group === 'string' ? group : ''
  })
  return nameText(groups.join('='))
}

function isObject(value: unknown): value is DicomObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
