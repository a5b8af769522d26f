import { type DicomObject, numberOf, jsonTextOf, textsOf } from './dicom-json.ts'

const SOP_CLASS = '00080016'
const ROWS = '00280010'
const NUMBER_OF_FRAMES = '00280008'
/** Far beyond a real one, which would be half an hour of video; more would take the browser's memory to list. */
const MOST_FRAMES = 100_000
const AVAILABLE_TRANSFER_SYNTAX = '00083002'

/** Objects that the quick viewer cannot draw, by the beginning of the SOP class. Source: PS3.4 B.5. */
const WITHOUT_PICTURE: readonly (readonly [string, string])[] = [
  ['1.2.840.10008.5.1.4.1.1.88.59', 'a key object note'],
  ['1.2.840.10008.5.1.4.1.1.88.', 'a structured report'],
  ['1.2.840.10008.5.1.4.1.1.104.1', 'a PDF document'],
  ['1.2.840.10008.5.1.4.1.1.104.2', 'a clinical document'],
  ['1.2.840.10008.5.1.4.1.1.104.', 'a 3-D model'],
  ['1.2.840.10008.5.1.4.1.1.11.', 'a presentation state'],
  ['1.2.840.10008.5.1.4.1.1.9.', 'a waveform'],
  ['1.2.840.10008.5.1.4.1.1.4.2', 'MR spectroscopy'],
  ['1.2.840.10008.5.1.4.1.1.66.4', 'a segmentation'],
  ['1.2.840.10008.5.1.4.1.1.66.7', 'a segmentation'],
  ['1.2.840.10008.5.1.4.1.1.66.', 'data for other programs'],
  ['1.2.840.10008.5.1.4.1.1.481.3', 'a radiotherapy structure set'],
  ['1.2.840.10008.5.1.4.1.1.481.5', 'a radiotherapy plan'],
  ['1.2.840.10008.5.1.4.1.1.481.8', 'a radiotherapy plan'],
]

/** MPEG-2, MPEG-4 and HEVC. Source: PS3.5 §8.2.5 and after. */
const VIDEO = /^1\.2\.840\.10008\.1\.2\.4\.10[0-8]/
const MPEG_2 = /^1\.2\.840\.10008\.1\.2\.4\.10[01]/

/** Why an object has no picture here, in words that end a sentence; undefined when it has one. */
export function reasonWithoutPicture(instance: DicomObject): string | undefined {
  const sopClass = jsonTextOf(instance, SOP_CLASS)
  const known = WITHOUT_PICTURE.find(
    ([beginning]) => sopClass === beginning || (beginning.endsWith('.') && sopClass.startsWith(beginning)),
  )
  if (known !== undefined) return known[1]
  if (isVideo(instance)) return 'a video'
  if (!((numberOf(instance, ROWS) ?? 0) > 0)) return 'an object without pixels'
  if ((numberOf(instance, NUMBER_OF_FRAMES) ?? 1) > MOST_FRAMES) return 'an object that claims too many frames'
  return undefined
}

export function isVideo(instance: DicomObject): boolean {
  return textsOf(instance, AVAILABLE_TRANSFER_SYNTAX).some((syntax) => VIDEO.test(syntax))
}

/** Whether a video is of the kind that no browser plays. */
export function isMpeg2(instance: DicomObject): boolean {
  return textsOf(instance, AVAILABLE_TRANSFER_SYNTAX).some((syntax) => MPEG_2.test(syntax))
}

/** Structured reports, PDFs and clinical documents, which the page around shows under Reports. */
export function isReport(instance: DicomObject): boolean {
  return /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(88\.(?!59$)|104\.[12]$)/.test(jsonTextOf(instance, SOP_CLASS))
}
