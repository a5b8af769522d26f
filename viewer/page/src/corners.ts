import { presentDate, presentPerson } from './banner-texts.ts'
import { type DicomObject, personNameOf, jsonTextOf } from './dicom-json.ts'
import { markerOf, orientationOf, type OrientationLetters, sliceTextOf, turnLetters } from './orientation.ts'
import type { Presentation } from './presentation-state.ts'
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

export function describeCorners(
  image: ViewerImage | undefined,
  study: DicomObject | undefined,
  presentation?: Presentation,
): Corners | undefined {
  if (!image) return undefined
  const { instance, frame } = image
  const letters = orientationOf(instance, frame)
  const who = study ?? instance
  const birthDate = presentDate(jsonTextOf(who, '00100030'))
  return {
    patient: [
      presentPerson(personNameOf(who, '00100010')) || texts.unknownPatient,
      [jsonTextOf(who, '00100020'), birthDate].filter((text) => text !== '').join('  ·  '),
      presentDate(jsonTextOf(instance, '00080020') || jsonTextOf(who, '00080020')),
      jsonTextOf(instance, '0008103E'),
    ].filter((text) => text !== ''),
    marker: markerOf(instance),
    slice: sliceTextOf(instance, frame),
    letters: letters && presentation ? turnLetters(letters, presentation.rotation, presentation.isFlipped) : letters,
  }
}
