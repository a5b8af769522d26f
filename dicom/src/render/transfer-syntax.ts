export const implicitLittleEndian = '1.2.840.10008.1.2'
export const explicitLittleEndian = '1.2.840.10008.1.2.1'
export const explicitBigEndian = '1.2.840.10008.1.2.2'
export const deflatedDataSet = '1.2.840.10008.1.2.1.99'
const deflatedFrames = '1.2.840.10008.1.2.8.1'
export const encapsulatedUncompressed = '1.2.840.10008.1.2.1.98'
const rleLossless = '1.2.840.10008.1.2.5'

export type PixelCoding = 'native' | 'deflatedFrames' | 'rle' | 'codestream' | 'video' | 'unknown'

/** How the pixels of a transfer syntax are held. A `codestream` says itself which of the JPEG family it is. */
export function pixelCodingOf(transferSyntaxUid: string): PixelCoding {
  if (transferSyntaxUid === deflatedFrames) return 'deflatedFrames'
  if (transferSyntaxUid === rleLossless) return 'rle'
  // 1.2.1.98 keeps native pixels in fragments.
  if (/^1\.2\.840\.10008\.1\.2(\.1|\.2|\.1\.98|\.1\.99)?$/.test(transferSyntaxUid)) return 'native'
  // The ending .1 names the fragmentable form of a video (PS3.5 §8.2.5 and following).
  const jpegFamily = /^1\.2\.840\.10008\.1\.2\.4\.(\d+)(?:\.1)?$/.exec(transferSyntaxUid)
  if (!jpegFamily) return 'unknown'
  const number = Number(jpegFamily[1])
  return number >= 100 && number <= 108 ? 'video' : 'codestream'
}
