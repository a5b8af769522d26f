import type { OrientationLetters } from '../orientation.ts'
import { orientationOf } from '../orientation.ts'
import { instanceOf } from './whole-image.ts'

type Plane = { isDefaultValueSetForRowCosine?: boolean; isDefaultValueSetForColumnCosine?: boolean }

/**
 * Letters at the four sides of an image. Where an image does not say where it lies, OHIF has laid it with its rows to the
 * patient's left and its columns to the back: each letter then names a side of the picture, however it was turned, and the
 * Patient Orientation of the image says what is at that side (PS3.3 C.7.6.1.1.1). Undefined where the image says neither.
 */
export function lettersAt(imageId: string | undefined, letters: OrientationLetters): OrientationLetters | undefined {
  const plane =
    imageId === undefined ? undefined : (window.cornerstone?.metaData.get('imagePlaneModule', imageId) as Plane)
  if (!plane?.isDefaultValueSetForRowCosine && !plane?.isDefaultValueSetForColumnCosine) return letters
  const said: unknown = instanceOf(imageId)?.['PatientOrientation']
  const values = Array.isArray(said) ? said : String(said ?? '').split('\\')
  const own = orientationOf({ '00200020': { vr: 'CS', Value: values } }, 1)
  if (!own) return undefined
  const sides: Readonly<Record<string, string>> = { L: own.right, R: own.left, P: own.bottom, A: own.top }
  const at = (letter: string) => sides[letter.charAt(0)] ?? ''
  return { left: at(letters.left), right: at(letters.right), top: at(letters.top), bottom: at(letters.bottom) }
}
