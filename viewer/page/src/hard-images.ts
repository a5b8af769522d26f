import { type BulkData, bulkDataOf } from './bulk-data.ts'
import { type DicomObject, numberOf, numbersOf, jsonTextOf } from './dicom-json.ts'

/**
 * The maker of an image's pixels: the library's decoders; we ourselves from its values, where the library would take
 * bits of an overlay for values or does not know floating point; or the server, as a picture in colour.
 */
type ImageMaker = 'decoder' | 'values' | 'server'

const MODALITY = '00080060'
const PHOTOMETRIC = '00280004'
const WINDOW_FUNCTION = '00281056'

export function makerOf(instance: DicomObject): ImageMaker {
  // the library waits for ever for tables that stand in the data set itself
  if (jsonTextOf(instance, PHOTOMETRIC).startsWith('PALETTE')) return 'server'
  if (isFloat(instance)) return 'values'
  return embeddedOverlays(instance).length > 0 ? 'values' : 'decoder'
}

/** Float and Double Float Pixel Data. Source: PS3.3 C.7.6.24. */
export function isFloat(instance: DicomObject): boolean {
  return instance['7FE00008'] !== undefined || instance['7FE00009'] !== undefined
}

/**
 * An instance as the library can bear it. Without a modality it fails unheard, and the picture never comes. Of a
 * window's function it takes the first letter for the name and then sets no window at all, so that the picture is
 * black and white; without it every window is linear, in the full viewer too. Source: PS3.3 C.11.2.1.3.
 */
export function bearable(instance: DicomObject): DicomObject {
  const { [WINDOW_FUNCTION]: _function, ...rest } = instance
  return jsonTextOf(rest, MODALITY) === '' ? { ...rest, [MODALITY]: { vr: 'CS', Value: ['OT'] } } : rest
}

/** The attributes of the picture in colour that the server makes of an image. */
export function asColourPicture(instance: DicomObject): DicomObject {
  const us = (value: number) => ({ vr: 'US', Value: [value] })
  const unfit = /^(0028(1[0-9]{3}|0008|0120|0121|0106|0107|3[0-9]{3})|60.{6}|5200.{4})$/
  return {
    ...Object.fromEntries(Object.entries(bearable(instance)).filter(([tag]) => !unfit.test(tag))),
    '00280002': us(3),
    [PHOTOMETRIC]: { vr: 'CS', Value: ['RGB'] },
    '00280006': us(0),
    '00280100': us(8),
    '00280101': us(8),
    '00280102': us(7),
    '00280103': us(0),
  }
}

/** Height and width of a pixel where they differ and no spacing says so. Source: PS3.3 C.7.6.3.1.7. */
export function pixelAspectOf(instance: DicomObject): [height: number, width: number] | undefined {
  const [height = 1, width = 1] = numbersOf(instance, '00280034')
  const hasSpacing = numbersOf(instance, '00280030').length === 2
  return hasSpacing || height === width || !(height > 0 && width > 0) ? undefined : [height, width]
}

/** The library's account of where an image lies and how large its pixels are. */
export type LibraryPlane = {
  pixelSpacing?: readonly number[] | null
  rowPixelSpacing: number
  columnPixelSpacing: number
  /** The library then measures in pixels. */
  usingDefaultValues?: boolean
}

/**
 * The plane by which an image is drawn and measured, where the library's own is not right. Pixels that are not square
 * and have no spacing are drawn as tall or wide as they are, and not measured. An image with a spacing and without a
 * place in the patient, as most radiographs are, has millimetres all the same.
 * @param isStretched by the server already
 */
export function planeAsDrawn(
  plane: LibraryPlane,
  instance: DicomObject,
  isStretched: boolean,
): LibraryPlane | undefined {
  const aspect = isStretched ? undefined : pixelAspectOf(instance)
  if (aspect) {
    const [height, width] = aspect
    return { ...plane, rowPixelSpacing: height / width, columnPixelSpacing: 1, usingDefaultValues: true }
  }
  const [row = 0, column = 0] = plane.pixelSpacing ?? []
  const hasSpacing = row > 0 && column > 0
  const isSquared = isStretched && hasSpacing && isStretchedByServer(row / column)
  const drawn = isSquared ? { ...plane, ...squareOf(Math.min(row, column)) } : plane
  if (plane.usingDefaultValues && hasSpacing) return { ...drawn, usingDefaultValues: false }
  return isSquared ? drawn : undefined
}

/** The server makes the side with the larger spacing longer, so that its pixels have the smaller one both ways. */
function squareOf(spacing: number) {
  return { pixelSpacing: [spacing, spacing], rowPixelSpacing: spacing, columnPixelSpacing: spacing }
}

/** The same bounds as the server's (`dicom/src/render/frame-attributes.ts`). */
function isStretchedByServer(aspect: number): boolean {
  return Math.abs(aspect - 1) > 0.005 && aspect > 0.05 && aspect < 20
}

/** An overlay plane as an instance declares it. Source: PS3.3 C.9.2. */
export type OverlayPlane = {
  /** The group of the plane, e.g. `6000`. */
  group: string
  rows: number
  columns: number
  /** Row and column of the image, from 0, that its first pixel lies on. */
  top: number
  left: number
  /** A region of interest; only its outline is drawn, so that it does not hide what it marks. */
  isRegion: boolean
  /** Bits of its own. */
  data: BulkData | undefined
  /** The bit of a pixel that holds it, where it has none of its own. */
  bit: number
  /** The first image frame it lies on, from 0, and how many it has; undefined where it lies on each. */
  frames: { first: number; count: number } | undefined
}

export function overlaysOf(instance: DicomObject): OverlayPlane[] {
  const planes: OverlayPlane[] = []
  for (let group = 0x6000; group <= 0x601e; group += 2) {
    const tag = (element: string) => `${group.toString(16).toUpperCase()}${element}`
    const data = bulkDataOf(instance[tag('3000')])
    const bit = numberOf(instance, tag('0102')) ?? 0
    if (!data && bit === 0) continue
    // overlays inside the pixels leave out the bits that belong to the image
    const rows = numberOf(instance, tag('0010')) ?? (data ? 0 : (numberOf(instance, '00280010') ?? 0))
    const columns = numberOf(instance, tag('0011')) ?? (data ? 0 : (numberOf(instance, '00280011') ?? 0))
    if (rows === 0 || columns === 0) continue
    const [row = 1, column = 1] = numbersOf(instance, tag('0050'))
    const count = numberOf(instance, tag('0015'))
    planes.push({
      group: tag(''),
      rows,
      columns,
      top: row - 1,
      left: column - 1,
      isRegion: jsonTextOf(instance, tag('0040')) === 'R',
      data,
      bit,
      frames: count === undefined ? undefined : { first: (numberOf(instance, tag('0051')) ?? 1) - 1, count },
    })
  }
  return planes
}

/** Overlays in bits of the pixels that belong to no value. */
export function embeddedOverlays(instance: DicomObject): OverlayPlane[] {
  const { allocated, stored, high } = bitsOf(instance)
  return overlaysOf(instance).filter(
    ({ data, bit }) => data === undefined && bit < allocated && (bit > high || bit <= high - stored),
  )
}

export function bitsOf(instance: DicomObject) {
  const allocated = numberOf(instance, '00280100') ?? 16
  const stored = numberOf(instance, '00280101') ?? allocated
  return { allocated, stored, high: numberOf(instance, '00280102') ?? stored - 1 }
}
