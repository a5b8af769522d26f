import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'

/** Media types of compressed frames. Source: PS3.18 Table 8.7.3-5. */
const mediaTypes: readonly [mediaType: string, ...endings: string[]][] = [
  ['image/jpeg', '4.50', '4.51', '4.53', '4.55', '4.57', '4.70'],
  ['image/jls', '4.80', '4.81'],
  ['image/jp2', '4.90', '4.91'],
  ['image/jpx', '4.92', '4.93'],
  ['image/jxl', '4.110', '4.111', '4.112'],
  ['image/jphc', '4.201', '4.202', '4.203'],
  ['image/dicom-rle', '5'],
  ['video/mpeg', '4.100', '4.100.1', '4.101', '4.101.1'],
  ['video/mp4', '4.102', '4.102.1', '4.103', '4.103.1', '4.104', '4.104.1', '4.105', '4.105.1', '4.106', '4.106.1'],
  ['video/h265', '4.107', '4.108'],
]
const bySyntax = new Map<string, string>(
  mediaTypes.flatMap(([mediaType, ...endings]) =>
    endings.map((ending) => [`1.2.840.10008.1.2.${ending}`, mediaType] as const),
  ),
)

/** The media type of a frame in this transfer syntax; undefined when its frames are plain bytes. */
export function mediaTypeOf(transferSyntax: string): string | undefined {
  return bySyntax.get(transferSyntax)
}

/** The syntax that native frames are in once they have left: headers are no matter to them. */
export function syntaxOfFrames(stored: string): string {
  return stored === ImplicitLittleEndian ? ExplicitLittleEndian : stored
}
