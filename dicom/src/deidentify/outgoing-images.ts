import type { DataSet } from '../data-set.ts'
import { type SopClassKind, sopClassOf } from '../sop-classes.ts'
import { Tag } from '../tags.ts'
import { findNumber, findText, findTexts } from '../values.ts'
import { frameFormOf } from './clean-fragments.ts'
import { hasDrawingsInPixels } from './deidentify-file.ts'
import { hasPublicSegments, isPixelSegmentation, mayOutlineText } from './segmentation.ts'

/**
 * Why an object does not leave in a copy without names: its kind, whose texts and references are of forms that nobody looks
 * through here, or for images what is wrong with one.
 */
export type LeftOutReason = Exclude<SopClassKind, 'image'> | 'encoding' | 'drawings' | 'unreadable'

/** Modalities whose machines write no text into the pixels of what they acquire. */
const cleanModalities = new Set(['CT', 'MR', 'PT', 'NM'])
/**
 * Modalities of projections, into which cassette readers, fluoroscopes and digitizers of films write names: they say by
 * Burned In Annotation that they did not, which the objects of digital radiography must (PS3.3 §C.8.11.3).
 */
const sayingModalities = new Set(['MG', 'DX', 'CR', 'XA', 'RF', 'IO', 'PX'])

/** Why an object of this class and encoding stays behind; undefined for an image that can leave. */
export function reasonToOmit(sopClass: string, transferSyntax: string): LeftOutReason | undefined {
  const { kind } = sopClassOf(sopClass)
  if (kind !== 'image' && !isPixelSegmentation(sopClass)) return kind
  return frameFormOf(transferSyntax) ? undefined : 'encoding'
}

/** Why an object with this header stays behind. */
export function reasonOfHeader(dataSet: DataSet): LeftOutReason | undefined {
  if (isPixelSegmentation(findText(dataSet, Tag.SOPClassUID) ?? '') && !hasPublicSegments(dataSet))
    return 'segmentation'
  return hasDrawingsInPixels(dataSet) ? 'drawings' : undefined
}

/**
 * Whether text may stand in the pixels: made by any machine whose pictures carry text (ultrasound, endoscopy, cameras), or
 * by one of projections that does not say otherwise, captured from a screen, in colours, secondary, or said so; or a
 * segmentation of such pictures. Such pictures leave when a person has looked at them.
 */
export function mayHoldText(dataSet: DataSet, sopClass: string): boolean {
  if (isPixelSegmentation(sopClass)) return mayOutlineText(dataSet)
  const modality = findText(dataSet, Tag.Modality) ?? ''
  const annotated = findText(dataSet, Tag.BurnedInAnnotation)
  const types = findTexts(dataSet, Tag.ImageType).join(' ').toUpperCase()
  const isCapture =
    sopClass.startsWith('1.2.840.10008.5.1.4.1.1.7') && !sopClass.startsWith('1.2.840.10008.5.1.4.1.1.77')
  return (
    !(cleanModalities.has(modality) || (sayingModalities.has(modality) && annotated === 'NO')) ||
    isCapture ||
    sopClass.startsWith('1.2.840.10008.5.1.4.1.1.77') ||
    dataSet.elements.has(Tag.ConversionType) ||
    (annotated !== undefined && annotated !== 'NO') ||
    // grey machines draw in colours what somebody sees on a screen
    (findNumber(dataSet, Tag.SamplesPerPixel) ?? 1) > 1 ||
    /SECONDARY|SCREEN|CAPTURE|REPORT|DOSE|LOCALIZER_TEXT/.test(types)
  )
}
