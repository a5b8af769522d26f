import { presentDate, presentPerson } from './banner-texts.ts'
import { type DicomObject, personOf, textOf } from './dicom-json.ts'
import { markerOf, orientationOf, type OrientationLetters, sliceTextOf } from './orientation.ts'
import type { ViewerImage } from './series-images.ts'
import { texts } from './texts.ts'

/** The texts over the picture: patient, date and orientation. */
export type Corners = {
  patient: string[]
  /** Side and view; stays when the rest is taken off, as the letters do. */
  marker: string
  slice: string
  letters: OrientationLetters | undefined
}

export function describeCorners(image: ViewerImage | undefined, study: DicomObject | undefined): Corners | undefined {
  if (!image) return undefined
  const { instance, frame } = image
  const who = study ?? instance
  const birthDate = presentDate(textOf(who, '00100030'))
  return {
    patient: [
      presentPerson(personOf(who, '00100010')) || texts.unknownPatient,
      [textOf(who, '00100020'), birthDate].filter((text) => text !== '').join('  ·  '),
      presentDate(textOf(instance, '00080020') || textOf(who, '00080020')),
      textOf(instance, '0008103E'),
    ].filter((text) => text !== ''),
    marker: markerOf(instance),
    slice: sliceTextOf(instance, frame),
    letters: orientationOf(instance, frame),
  }
}
