import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'
import { type DicomObject, itemsOf, jsonTextOf, numberOf } from './dicom-json.ts'
import type { LengthUnit } from './length-unit.ts'
import { type Code, codeItem, conceptName, container, type Item, ofCode, ofText, related } from './report-items.ts'
import type { ViewerImage } from './series-images.ts'

/** A length between two points, in pixels of the image from the outer corner of its first one. */
export type MeasuredLength = {
  uid: string
  seriesUid: string
  image: ViewerImage
  points: readonly [readonly [number, number], readonly [number, number]]
  value: number
  unit: LengthUnit
  /** Stays when the length is moved; made anew for a report where there is none. */
  trackingUid?: string
}

/** A report among the series of its study. */
export type ReportName = { seriesUid: string; sopUid: string }

type ReportOptions = {
  name?: ReportName
  /** Reports of the same study whose place this one takes. */
  predecessors?: readonly ReportName[]
}

/** Enhanced SR. */
const ENHANCED_SR = '1.2.840.10008.5.1.4.1.1.88.22'
/** The name by which the full viewer takes a length up as one of its own. */
const TRACKED_AS = 'Cornerstone3DTools@^0.1.0:Length'
/** Behind the series of a study, which are numbered from one. */
const SERIES_NUMBER = '9000'

/** Attributes of the patient and the study, which the report repeats. */
const REPEATED: Readonly<Record<string, string>> = {
  '00080020': 'DA',
  '00080030': 'TM',
  '00080050': 'SH',
  '00080090': 'PN',
  '00081030': 'LO',
  '00100010': 'PN',
  '00100020': 'LO',
  '00100021': 'LO',
  '00100030': 'DA',
  '00100040': 'CS',
  '0020000D': 'UI',
  '00200010': 'SH',
}

/**
 * Lengths as a structured report of their study, an instance of a series of its own.
 * @throws RangeError where there are no lengths
 * Source: PS3.16 TID 1500, TID 1501.
 */
export function writeLengthReport(
  lengths: readonly MeasuredLength[],
  now: Date,
  { name = newReportName(), predecessors = [] }: ReportOptions = {},
): Uint8Array<ArrayBuffer> {
  const [first] = lengths
  if (!first) throw new RangeError('A report of no lengths')
  const [date, time] = [dateOf(now), timeOf(now)]
  const elements: WriteElement[] = [
    { tag: 0x00080005, vr: 'CS', value: 'ISO_IR 192' },
    { tag: 0x00080016, vr: 'UI', value: ENHANCED_SR },
    { tag: 0x00080018, vr: 'UI', value: name.sopUid },
    { tag: 0x00080021, vr: 'DA', value: date },
    { tag: 0x00080023, vr: 'DA', value: date },
    { tag: 0x00080031, vr: 'TM', value: time },
    { tag: 0x00080033, vr: 'TM', value: time },
    { tag: 0x00080060, vr: 'CS', value: 'SR' },
    { tag: 0x00080070, vr: 'LO', value: 'Hilum' },
    { tag: 0x0008103e, vr: 'LO', value: 'Measurements' },
    { tag: 0x00081111, vr: 'SQ', value: [] },
    { tag: 0x0020000e, vr: 'UI', value: name.seriesUid },
    { tag: 0x00200011, vr: 'IS', value: SERIES_NUMBER },
    { tag: 0x00200013, vr: 'IS', value: '1' },
    ...(predecessors.length > 0 ? [{ tag: 0x0040a360, vr: 'SQ', value: [predecessorsOf(first, predecessors)] }] : []),
    { tag: 0x0040a372, vr: 'SQ', value: [] },
    { tag: 0x0040a375, vr: 'SQ', value: [evidenceOf(lengths)] },
    { tag: 0x0040a491, vr: 'CS', value: 'PARTIAL' },
    { tag: 0x0040a493, vr: 'CS', value: 'UNVERIFIED' },
    ...Object.entries(REPEATED).flatMap(([tag, vr]) => repeated(first.image.instance, tag, vr)),
    ...container(['126000', 'DCM', 'Imaging Measurement Report'], bodyOf(lengths)),
    {
      tag: 0x0040a504,
      vr: 'SQ',
      value: [
        [
          { tag: 0x00080105, vr: 'CS', value: 'DCMR' },
          { tag: 0x0040db00, vr: 'CS', value: '1500' },
        ],
      ],
    },
  ]
  return new Uint8Array(writePart10(elements))
}

export function newReportName(): ReportName {
  return { seriesUid: newUid(), sopUid: newUid() }
}

const ENGLISH: Code = ['en', 'RFC5646', 'English']
/** Codes of the units that lengths are kept in. */
export const lengthUnits: Readonly<Record<LengthUnit, Code>> = {
  mm: ['mm', 'UCUM', 'millimeter'],
  cm: ['cm', 'UCUM', 'centimeter'],
  px: ['{pixels}', 'UCUM', 'pixels'],
}

function bodyOf(lengths: readonly MeasuredLength[]): Item[] {
  return [
    ofCode('HAS CONCEPT MOD', ['121049', 'DCM', 'Language of Content Item and Descendants'], ENGLISH),
    ofCode('HAS OBS CONTEXT', ['121005', 'DCM', 'Observer Type'], ['121007', 'DCM', 'Device']),
    ofText('HAS OBS CONTEXT', 'TEXT', ['121013', 'DCM', 'Device Observer Name'], 'Hilum'),
    ofCode('HAS CONCEPT MOD', ['121058', 'DCM', 'Procedure reported'], ['363679005', 'SCT', 'Imaging procedure']),
    [
      ...related('CONTAINS'),
      ...container(
        ['126010', 'DCM', 'Imaging Measurements'],
        lengths.map((length) => groupOf(length)),
      ),
    ],
  ]
}

function groupOf(length: MeasuredLength): Item {
  return [
    ...related('CONTAINS'),
    ...container(
      ['125007', 'DCM', 'Measurement Group'],
      [
        ofText('HAS OBS CONTEXT', 'TEXT', ['112039', 'DCM', 'Tracking Identifier'], TRACKED_AS),
        ofText(
          'HAS OBS CONTEXT',
          'UIDREF',
          ['112040', 'DCM', 'Tracking Unique Identifier'],
          length.trackingUid ?? newUid(),
        ),
        numberItem(length),
      ],
    ),
  ]
}

function numberItem({ image, points, value, unit }: MeasuredLength): Item {
  const region: Item = [
    ...related('INFERRED FROM'),
    { tag: 0x0040a040, vr: 'CS', value: 'SCOORD' },
    { tag: 0x00700022, vr: 'FL', value: points.flat() },
    { tag: 0x00700023, vr: 'CS', value: 'POLYLINE' },
    {
      tag: 0x0040a730,
      vr: 'SQ',
      value: [
        [
          ...related('SELECTED FROM'),
          { tag: 0x0040a040, vr: 'CS', value: 'IMAGE' },
          { tag: 0x00081199, vr: 'SQ', value: [referenceTo(image, true)] },
        ],
      ],
    },
  ]
  return [
    ...related('CONTAINS'),
    { tag: 0x0040a040, vr: 'CS', value: 'NUM' },
    conceptName(['410668003', 'SCT', 'Length']),
    {
      tag: 0x0040a300,
      vr: 'SQ',
      value: [
        [
          { tag: 0x0040a30a, vr: 'DS', value: decimal(value) },
          { tag: 0x004008ea, vr: 'SQ', value: [codeItem(lengthUnits[unit])] },
        ],
      ],
    },
    { tag: 0x0040a730, vr: 'SQ', value: [region] },
  ]
}

/** The images that the report is about, by their series. Source: PS3.3 C.17.2. */
function evidenceOf(lengths: readonly MeasuredLength[]): Item {
  const [first] = lengths
  const series = Map.groupBy(lengths, ({ seriesUid }) => seriesUid)
  return inStudyOf(
    first,
    [...series].map(([seriesUid, ofSeries]) => {
      const images = new Map(ofSeries.map(({ image }) => [image.sopUid, image] as const))
      return [seriesUid, [...images.values()].map((image) => referenceTo(image, false))] as const
    }),
  )
}

/** Source: PS3.3 C.17.2, Predecessor Documents Sequence. */
function predecessorsOf(length: MeasuredLength, reports: readonly ReportName[]): Item {
  return inStudyOf(
    length,
    reports.map(({ seriesUid, sopUid }) => [
      seriesUid,
      [
        [
          { tag: 0x00081150, vr: 'UI', value: ENHANCED_SR },
          { tag: 0x00081155, vr: 'UI', value: sopUid },
        ],
      ],
    ]),
  )
}

/** References to instances of the study, by their series. Source: PS3.3 C.17.2.1. */
function inStudyOf(length: MeasuredLength | undefined, series: readonly (readonly [string, Item[]])[]): Item {
  return [
    { tag: 0x0020000d, vr: 'UI', value: length ? jsonTextOf(length.image.instance, '0020000D') : '' },
    {
      tag: 0x00081115,
      vr: 'SQ',
      value: series.map(
        ([seriesUid, references]): Item => [
          { tag: 0x0020000e, vr: 'UI', value: seriesUid },
          { tag: 0x00081199, vr: 'SQ', value: references },
        ],
      ),
    },
  ]
}

function referenceTo({ instance, sopUid, frame }: ViewerImage, isOfFrame: boolean): Item {
  const hasFrames = (numberOf(instance, '00280008') ?? 1) > 1
  return [
    { tag: 0x00081150, vr: 'UI', value: jsonTextOf(instance, '00080016') },
    { tag: 0x00081155, vr: 'UI', value: sopUid },
    ...(isOfFrame && hasFrames ? [{ tag: 0x00081160, vr: 'IS', value: String(frame) }] : []),
  ]
}

/** An attribute of the image as the server gives it; types 2 of a report stand empty where the image has none. */
function repeated(instance: DicomObject, tag: string, vr: string): WriteElement[] {
  const value = vr === 'PN' ? namesOf(instance, tag) : jsonTextOf(instance, tag)
  const isOptional = tag === '00081030' || tag === '00100021'
  return value === '' && isOptional ? [] : [{ tag: Number.parseInt(tag, 16), vr, value }]
}

/** All groups of a person's name. Source: PS3.5 §6.2.1. */
function namesOf(instance: DicomObject, tag: string): string {
  const [groups] = itemsOf(instance, tag) as { Alphabetic?: unknown; Ideographic?: unknown; Phonetic?: unknown }[]
  const all = [groups?.Alphabetic, groups?.Ideographic, groups?.Phonetic]
  return all
    .map((group) => (typeof group === 'string' ? group : ''))
    .join('=')
    .replace(/=+$/, '')
}

/** DS: 16 characters at most. */
function decimal(value: number): string {
  return String(Number(value.toPrecision(8)))
}

const two = (value: number) => String(value).padStart(2, '0')
const dateOf = (now: Date) => `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
const timeOf = (now: Date) => `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
