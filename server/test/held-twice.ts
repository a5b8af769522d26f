import type { DicomJson } from '@hilum/dicom/json'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import type { WriteElement } from '@hilum/dicom/write-part10'
import sharp from 'sharp'

/*
 * Two versions of an image that two sources hold under one SOP Instance UID: told apart by their attributes, their pixels,
 * and by the document or video inside them.
 */

export type Version = 'dark' | 'bright'

const numbers: Record<Version, string> = { dark: '9001', bright: '9002' }
const words: Record<Version, string> = { dark: 'Zzdark', bright: 'Zzbright' }
const all: readonly Version[] = ['dark', 'bright']
const PIXELS = 16 * 16

export function attributesOf(version: Version): WriteElement[] {
  return [
    { tag: Tag.StudyDescription, vr: 'LO', value: words[version] },
    { tag: Tag.InstanceNumber, vr: 'IS', value: numbers[version] },
  ]
}

/** Pixels of an image of `madeImage`: mostly black, or mostly white. */
export function pixelsOf(version: Version): WriteElement {
  const white = version === 'dark' ? PIXELS / 8 : (PIXELS * 7) / 8
  const value = new Uint8Array(PIXELS).map((_, index) => (index < white ? 255 : 0))
  return { tag: Tag.PixelData, vr: 'OB', value }
}

/** Words for the content of a document or a video. */
export const contentOf = (version: Version): Buffer => Buffer.from(` ${words[version]} `)

export function versionsOfFiles(files: readonly Uint8Array[]): Version[] {
  const texts = files.map((file) => findText(readDataSet(file).dataSet, Tag.StudyDescription))
  return texts.flatMap((text) => all.filter((version) => words[version] === text))
}

/** Versions of images as DICOM JSON lists them. */
export function versionsOfJson(list: readonly DicomJson[] = []): Version[] {
  return versionsOfNumbers(list.map((one) => String(one['00200013']?.Value?.[0])))
}

/** Versions that an answer tells of: attributes in words, or what is inside an image. */
export function versionsOfText(text: string | Buffer): Version[] {
  const found = text.toString('latin1').match(/Zzdark|Zzbright/g) ?? []
  return found.flatMap((word) => all.filter((version) => words[version] === word))
}

/** Versions of images as numbered by a directory. */
export function versionsOfNumbers(found: readonly string[]): Version[] {
  return found.flatMap((number) => all.filter((version) => numbers[version] === number))
}

export const versionsOfPixels = (pixels: Uint8Array): Version[] =>
  versionOfMean(pixels.reduce((sum, one) => sum + one, 0) / pixels.length)

export async function versionsOfPictures(pictures: readonly Uint8Array[]): Promise<Version[]> {
  const found: Version[] = []
  for (const picture of pictures) {
    const grey = await sharp(picture).greyscale().raw().toBuffer()
    found.push(...versionsOfPixels(grey))
  }
  return found
}

/** Other images of `madeImage` are as bright as dark. */
function versionOfMean(mean: number): Version[] {
  if (mean < 70) return ['dark']
  return mean > 185 ? ['bright'] : []
}
