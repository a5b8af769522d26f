import type { DataSet } from '../data-set.ts'
import { Tag } from '../tags.ts'
import { findItems, findText, findTexts } from '../values.ts'
import { publicCode } from './code-items.ts'

const storage = '1.2.840.10008.5.1.4.1.1.'
/** Segmentations in pixels: Segmentation and Label Map Segmentation. Surfaces are points in the header, which do not leave. */
const pixelSegmentations = new Set([`${storage}66.4`, `${storage}66.7`])
/** Classes of slices whose machines write no text into the pixels: CT, MR, nuclear medicine, PET, legacy converted ones among them. */
const cleanSources = new Set(
  ['2', '2.1', '2.2', '4', '4.1', '4.4', '20', '128', '128.1', '130'].map((one) => storage + one),
)

const segmentSequence = 0x00620002
const propertyCategory = 0x00620003
const segmentLabel = 0x00620005
const propertyType = 0x0062000f
const trackingId = 0x00620020
const referencedSeries = 0x00081115
const referencedInstances = 0x0008114a
const referencedClass = 0x00081150

/** Texts that a segmentation must have besides the labels of its segments (PS3.3 §A.51, type 1 and 1C). */
const demanded = new Set([
  Tag.Manufacturer,
  Tag.ManufacturerModelName,
  0x00181020, // Software Versions
  0x00620009, // Segment Algorithm Name
  Tag.ContentLabel,
])

export const isPixelSegmentation = (sopClass: string): boolean => pixelSegmentations.has(sopClass)

/**
 * A text in the place of one that does not leave and must stand in a segmentation; undefined for every other.
 * @param segment number of the segment that it is of
 */
export function neutralText(tag: number, segment: number | undefined): string | undefined {
  if (tag === segmentLabel || tag === trackingId) return `Segment ${segment ?? 0}`
  return demanded.has(tag) ? 'REMOVED' : undefined
}

/** Whether each segment says by public codes what it is: one without them could not leave whole. */
export function hasPublicSegments(dataSet: DataSet): boolean {
  const segments = findItems(dataSet, segmentSequence)
  return (
    segments.length > 0 &&
    segments.every((segment) =>
      [propertyCategory, propertyType].every((tag) => {
        const codes = findItems(segment, tag)
        return codes.length > 0 && codes.every((code) => publicCode(code) !== undefined)
      }),
    )
  )
}

/** Whether segments may have the form of letters: what is written in the pixels of a picture is found by a threshold. */
export function mayOutlineText(dataSet: DataSet): boolean {
  const sources = findItems(dataSet, referencedSeries)
    .flatMap((series) => findItems(series, referencedInstances))
    .map((instance) => findText(instance, referencedClass) ?? '')
  const annotated = findTexts(dataSet, Tag.BurnedInAnnotation)[0]
  return (
    sources.length === 0 ||
    sources.some((one) => !cleanSources.has(one)) ||
    (annotated !== undefined && annotated !== 'NO')
  )
}
