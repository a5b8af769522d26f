import type { DataSet } from '@hilum/dicom/data-set'
import { findVr } from '@hilum/dicom/dictionary'
import { Status } from '@hilum/dicom/dimse/status'
import { Tag, tagToHex } from '@hilum/dicom/tags'
import { findItems, findNumbers, findText, findTexts, isBinaryNumber, vrOfElement } from '@hilum/dicom/values'
import { isIndexed, type QidoLevel } from '../dicomweb/qido-keys.ts'
import { maxMatches, maxMatchesInStudy, readSearch, type Search } from '../dicomweb/read-search.ts'
import { SearchError } from '../dicomweb/search-error.ts'

/** Levels of Query/Retrieve; PATIENT exists by patient alone (PS3.4 C.6.1.1). */
export type QueryLevel = 'PATIENT' | 'STUDY' | 'SERIES' | 'IMAGE'
export type QueryRoot = 'patient' | 'study'

/** A query that cannot be answered. The message holds no patient data: it goes to the peer. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface FindQuery {
  level: QueryLevel
  /** Attributes that the peer wants to be told, as eight hex digits. */
  asked: string[]
  search: Search
  /** Condition on the record alone. */
  within: Search['where']
  /** Answers beyond which the query is too wide. */
  most: number
  /** Some keys were neither matched nor told. */
  isPartial: boolean
}

export interface RetrieveQuery {
  level: QueryLevel
  /** Conditions on the records. */
  records: Search['where']
  /** At PATIENT level: letter by letter, other than in a search. */
  patientId: string | undefined
  seriesUids: string[] | undefined
  sopUids: string[] | undefined
}

export const qidoLevelOf: Readonly<Record<QueryLevel, QidoLevel>> = {
  PATIENT: 'studies',
  STUDY: 'studies',
  SERIES: 'series',
  IMAGE: 'instances',
}

/** Attributes of the query itself. */
const ofQuery = new Set(['00080005', '00080052', '00080053', '00080054', '00080056', '00080201'])
const ofPatient = new Set(['00100010', '00100020', '00100021', '00100030', '00100040'])
/** The address of an image over HTTP is not ours to tell here. */
const neverAnswered = new Set(['00081190'])

/**
 * Reads the identifier of a C-FIND (PS3.4 C.4.1.1.3). A key that cannot be matched makes the query partial, as the
 * standard has it; one of the index whose value cannot be read is refused, because the answer would be another one.
 * @throws QueryError
 */
export function readFind(root: QueryRoot, identifier: DataSet | undefined): FindQuery {
  const { level, keys } = readLevel(root, identifier)
  const qido = qidoLevelOf[level]
  const sent: Record<string, string> = {}
  const asked: string[] = []
  let isPartial = false
  for (const { name, values } of keysIn(keys)) {
    asked.push(name)
    for (const [key, value] of values) {
      const isUniversal = value === '' || value === '*'
      if (isUniversal) continue
      const isOfLevel = level !== 'PATIENT' || ofPatient.has(name)
      if (isOfLevel && isMatchable(qido, key, value)) sent[key] = value
      else isPartial = true
    }
  }
  const studyUid = findTexts(keys, Tag.StudyInstanceUID).join('\\')
  if (qido !== 'studies' && (studyUid === '' || studyUid === '*')) {
    throw new QueryError(Status.DataSetDoesNotMatch, `A query at ${level} level names its study`)
  }
  const most = qido === 'studies' ? maxMatches : maxMatchesInStudy
  const answered = asked.filter((name) => !neverAnswered.has(name) && (level !== 'PATIENT' || ofPatient.has(name)))
  const search = readSearch(qido, { ...sent, includefield: answered.join(',') }, most)
  isPartial ||= search.leftOut.length > 0 || answered.length < asked.length
  const within = readSearch('studies', qido === 'studies' ? {} : { StudyInstanceUID: studyUid }).where
  return { level, asked: answered, search, within, most, isPartial }
}

/**
 * Reads the identifier of a C-MOVE or C-GET: unique keys alone, those of the levels above included (PS3.4 C.4.2.1.4).
 * @throws QueryError
 */
export function readRetrieval(root: QueryRoot, identifier: DataSet | undefined): RetrieveQuery {
  const { level, keys } = readLevel(root, identifier)
  const uidsOf = (tag: number, name: string): string[] => {
    const uids = findTexts(keys, tag).filter((uid) => uid !== '')
    if (uids.length === 0 || uids.some((uid) => /[*?\0]/.test(uid) || uid.length > 64)) {
      throw new QueryError(Status.DataSetDoesNotMatch, `A retrieval at ${level} level takes ${name} without wildcards`)
    }
    return uids
  }
  const isBelowStudy = level === 'SERIES' || level === 'IMAGE'
  const hasSeries = findTexts(keys, Tag.SeriesInstanceUID).some((uid) => uid !== '')
  const patientId = level === 'PATIENT' ? uidsOf(Tag.PatientID, 'a Patient ID').join('\\') : undefined
  const studyKeys =
    patientId === undefined
      ? { StudyInstanceUID: uidsOf(Tag.StudyInstanceUID, 'study UIDs').join('\\') }
      : { PatientID: patientId }
  // images are named by their own UIDs, and some peers leave the series out
  const isOfSeries = level === 'SERIES' || (isBelowStudy && hasSeries)
  return {
    level,
    records: readSearch('studies', studyKeys).where,
    patientId,
    seriesUids: isOfSeries ? uidsOf(Tag.SeriesInstanceUID, 'series UIDs') : undefined,
    sopUids: level === 'IMAGE' ? uidsOf(Tag.SOPInstanceUID, 'image UIDs') : undefined,
  }
}

function readLevel(root: QueryRoot, keys: DataSet | undefined): { level: QueryLevel; keys: DataSet } {
  if (!keys) throw new QueryError(Status.CannotUnderstand, 'The query has no readable identifier')
  const level = findText(keys, Tag.QueryRetrieveLevel)?.toUpperCase() ?? ''
  if (!isLevel(level) || (level === 'PATIENT' && root === 'study')) {
    throw new QueryError(Status.DataSetDoesNotMatch, 'The level of the query is not one of its class')
  }
  return { level, keys }
}

function isLevel(text: string): text is QueryLevel {
  return Object.hasOwn(qidoLevelOf, text)
}

/** The keys of an identifier by their tags, without those that are about the query itself. */
export function* keysIn(
  identifier: DataSet,
): Generator<{ name: string; values: Iterable<[path: string, value: string]> }> {
  for (const tag of identifier.elements.keys()) {
    const name = tagToHex(tag)
    if (!ofQuery.has(name) && (tag & 0xffff) !== 0) yield { name, values: valuesOf(identifier, tag) }
  }
}

/** A key and its value, or those of the attributes of a sequence's first item, whose names have a dot. */
function* valuesOf(keys: DataSet, tag: number): Generator<[name: string, value: string]> {
  const name = tagToHex(tag)
  if (findVr(tag) !== 'SQ') {
    yield [name, valueOf(keys, tag)]
    return
  }
  const [item] = findItems(keys, tag)
  for (const [inner] of item?.elements ?? []) {
    if (item && (inner & 0xffff) !== 0) yield [`${name}.${tagToHex(inner)}`, valueOf(item, inner)]
  }
}

function valueOf(keys: DataSet, tag: number): string {
  const element = keys.elements.get(tag)
  if (!element) return ''
  const isNumber = isBinaryNumber(vrOfElement(element))
  return isNumber ? findNumbers(keys, tag).join('\\') : findTexts(keys, tag).join('\\').trim()
}

/** @throws QueryError for a key of the index whose value is none */
function isMatchable(level: QidoLevel, name: string, value: string): boolean {
  try {
    readSearch(level, { [name]: value })
    return true
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    if (isIndexed(name)) throw new QueryError(Status.CannotUnderstand, error.message)
    return false
  }
}
