import { presentDate } from './banner-texts.ts'
import { type DicomObject, itemsOf, jsonTextOf, numbersOf } from './dicom-json.ts'
import type { Graphic } from './graphics.ts'
import { lengthUnits } from './length-report.ts'
import { presentLength } from './length-words.ts'
import { type References, referencesOf, refersTo } from './references.ts'
import type { StripSeries } from './series-strip.ts'

/** A length that a structured report of the study keeps. Source: PS3.16 TID 1501, TID 300. */
type StoredLength = { references: References; points: readonly [Point, Point]; words: string }
type Point = readonly [number, number]

export type StoredLengths = { lengths: readonly StoredLength[]; isWhole: boolean }

export const NO_LENGTHS: StoredLengths = { lengths: [], isWhole: true }

/** Length, by SNOMED CT and by its older codes. */
const LENGTH = new Set(['410668003', 'G-D7FE', 'G-A22A'])
/** Reports of measurements nest six deep; deeper content has no lengths, or is meant to keep readers busy. */
const MOST_DEEP = 10

/** The lengths in the structured reports of a study. A series that does not come is left out, and the lengths are not whole. */
export async function readStoredLengths(
  list: readonly StripSeries[],
  listInstances: (seriesUid: string) => Promise<DicomObject[]>,
): Promise<StoredLengths> {
  const reports = list.filter(({ modality }) => modality === 'SR')
  const answers = await Promise.all(reports.map(({ seriesUid }) => listInstances(seriesUid).catch(() => undefined)))
  const found = answers.flatMap((instances) => instances ?? [])
  const replaced = new Set(found.flatMap(predecessorsOf))
  const inForce = found.filter((report) => !replaced.has(jsonTextOf(report, '00080018')))
  return {
    lengths: inForce.flatMap((report) => lengthsIn(report, presentDate(jsonTextOf(report, '00080023')), 0)),
    isWhole: answers.every((instances) => instances !== undefined),
  }
}

/** The lengths on an image, each as a line with its value at the right end. */
export function drawLengths({ lengths }: StoredLengths, image: { sopUid: string; frame: number }): Graphic[] {
  return lengths
    .filter(({ references }) => refersTo(references, image.sopUid, image.frame))
    .flatMap(({ points, words }): Graphic[] => {
      const [from, to] = points
      return [
        { kind: 'lines', points: [from, to], isFilled: false },
        { kind: 'dots', points: [from, to] },
        { kind: 'text', text: words, at: from[0] > to[0] ? from : to, anchor: undefined },
      ]
    })
}

/** Reports that a report says it takes the place of. Source: PS3.3 C.17.2. */
function predecessorsOf(report: DicomObject): string[] {
  const references = itemsOf(report, '0040A360')
    .flatMap((study) => itemsOf(study, '00081115'))
    .flatMap((series) => itemsOf(series, '00081199'))
  return references.map((reference) => jsonTextOf(reference, '00081155'))
}

/** @param day of the report, by which two lengths of one thing are told apart */
function lengthsIn(item: DicomObject, day: string, depth: number): StoredLength[] {
  if (depth > MOST_DEEP) return []
  const content = itemsOf(item, '0040A730')
  const own = jsonTextOf(item, '0040A040') === 'NUM' && LENGTH.has(codeOf(item, '0040A043')) ? lengthOf(item, day) : []
  return [...own, ...content.flatMap((one) => lengthsIn(one, day, depth + 1))]
}

/** Places are columns and rows of the one image that a region was selected from. Source: PS3.3 C.18.6. */
function lengthOf(measurement: DicomObject, day: string): StoredLength[] {
  const [measured] = itemsOf(measurement, '0040A300')
  const [value] = numbersOf(measured ?? {}, '0040A30A')
  if (measured === undefined || value === undefined) return []
  const words = [presentLength(value, unitOf(measured)), day].filter((part) => part !== '').join('  ·  ')
  return itemsOf(measurement, '0040A730').flatMap((region) => {
    const [x, y, toX, toY, ...more] = numbersOf(region, '00700022')
    const isLine = jsonTextOf(region, '00700023') === 'POLYLINE' && more.length === 0
    if (!isLine || x === undefined || y === undefined || toX === undefined || toY === undefined) return []
    const references = referencesOf(itemsOf(region, '0040A730').flatMap((image) => itemsOf(image, '00081199')))
    return [
      {
        references,
        points: [
          [x, y],
          [toX, toY],
        ] as const,
        words,
      },
    ]
  })
}

function unitOf(measured: DicomObject): string {
  const code = codeOf(measured, '004008EA')
  const known = Object.entries(lengthUnits).find(([, [written]]) => written === code)
  return known?.[0] ?? code
}

function codeOf(item: DicomObject, tag: string): string {
  return jsonTextOf(itemsOf(item, tag)[0] ?? {}, '00080100')
}
