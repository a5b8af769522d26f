import { type DicomObject, jsonTextOf } from './dicom-json.ts'
import { isFloat } from './hard-images.ts'

const PHOTOMETRIC = '00280004'
const MODALITY = '00080060'

export function isInColour(instance: DicomObject): boolean {
  return !isFloat(instance) && !jsonTextOf(instance, PHOTOMETRIC).startsWith('MONOCHROME')
}

/** Grey values of PET are drawn dark on light in both viewers; fused pictures in colour stay as they are. */
export function isDarkOnLight(instance: DicomObject): boolean {
  return jsonTextOf(instance, MODALITY) === 'PT' && !isInColour(instance)
}
