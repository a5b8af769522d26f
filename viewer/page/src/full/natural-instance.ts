import type { DicomObject } from '../dicom-json.ts'
import type { NaturalInstance } from './ohif.ts'

/** Attributes that say how pixels are to be read, by their keywords. */
const READ = {
  Modality: '00080060',
  SamplesPerPixel: '00280002',
  PhotometricInterpretation: '00280004',
  Rows: '00280010',
  Columns: '00280011',
  BitsAllocated: '00280100',
  BitsStored: '00280101',
  HighBit: '00280102',
  PixelRepresentation: '00280103',
  PixelPaddingValue: '00280120',
  PixelPaddingRangeLimit: '00280121',
  FloatPixelPaddingValue: '00280122',
  DoubleFloatPixelPaddingValue: '00280123',
  FloatPixelPaddingRangeLimit: '00280124',
  DoubleFloatPixelPaddingRangeLimit: '00280125',
  WindowCenter: '00281050',
  WindowWidth: '00281051',
  RescaleIntercept: '00281052',
  RescaleSlope: '00281053',
  FloatPixelData: '7FE00008',
  DoubleFloatPixelData: '7FE00009',
} as const

/** Attributes of overlay planes, by which OHIF names the planes of all groups alike: the last one is all that it keeps. */
const OF_PLANES = ['OverlayRows', 'OverlayColumns', 'OverlayBitPosition', 'OverlayData']
const OF_TABLES = ['ModalityLUTSequence', 'VOILUTSequence']

/** Whether an instance has overlay planes, of which OHIF keeps too little. */
export function hasPlanes(instance: NaturalInstance): boolean {
  return OF_PLANES.some((keyword) => instance[keyword] !== undefined)
}

/** Whether overlay planes lie over an instance, or its values go through tables that OHIF does not draw. */
export function mayHoldLayers(instance: NaturalInstance): boolean {
  return hasPlanes(instance) || OF_TABLES.some((keyword) => instance[keyword] !== undefined)
}

/**
 * The attributes of the pixels of an instance that OHIF keeps, but for overlay planes, in the DICOM JSON model that both
 * viewers read.
 */
export function pixelAttributesOf(instance: NaturalInstance): DicomObject {
  const found: DicomObject = {}
  for (const [keyword, tag] of Object.entries(READ)) put(found, tag, instance[keyword])
  return found
}

function put(object: DicomObject, tag: string, value: unknown): void {
  if (value === undefined || value === null || value === '') return
  object[tag] = {
    vr: '',
    Value: Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as unknown[]) : [value],
  }
}
