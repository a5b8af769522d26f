export const ImplicitLittleEndian = '1.2.840.10008.1.2'
export const ExplicitLittleEndian = '1.2.840.10008.1.2.1'
export const DeflatedLittleEndian = '1.2.840.10008.1.2.1.99'
export const ExplicitBigEndian = '1.2.840.10008.1.2.2'
const EncapsulatedUncompressed = '1.2.840.10008.1.2.1.98'

/** The effect of a transfer syntax on the bytes of a data set and of its pixel data. */
type TransferSyntax = {
  uid: string
  name: string
  isExplicit: boolean
  isLittleEndian: boolean
  isDeflated: boolean
  /** Pixel data comes as fragments instead of one run of bytes. */
  isEncapsulated: boolean
  isLossy: boolean
}

type Traits = Partial<
  Pick<TransferSyntax, 'isExplicit' | 'isLittleEndian' | 'isDeflated' | 'isEncapsulated' | 'isLossy'>
>

const encapsulated: Traits = { isEncapsulated: true }
const lossy: Traits = { isEncapsulated: true, isLossy: true }

// Source: PS3.6 Annex A, table A-1.
const rows: [uid: string, name: string, traits?: Traits][] = [
  [ImplicitLittleEndian, 'Implicit VR Little Endian', { isExplicit: false }],
  [ExplicitLittleEndian, 'Explicit VR Little Endian'],
  [EncapsulatedUncompressed, 'Encapsulated Uncompressed Explicit VR Little Endian', encapsulated],
  [DeflatedLittleEndian, 'Deflated Explicit VR Little Endian', { isDeflated: true }],
  [ExplicitBigEndian, 'Explicit VR Big Endian', { isLittleEndian: false }],
  ['1.2.840.10008.1.2.4.50', 'JPEG Baseline (Process 1)', lossy],
  ['1.2.840.10008.1.2.4.51', 'JPEG Extended (Process 2 & 4)', lossy],
  ['1.2.840.10008.1.2.4.53', 'JPEG Spectral Selection (Process 6 & 8)', lossy],
  ['1.2.840.10008.1.2.4.55', 'JPEG Full Progression (Process 10 & 12)', lossy],
  ['1.2.840.10008.1.2.4.57', 'JPEG Lossless (Process 14)', encapsulated],
  ['1.2.840.10008.1.2.4.70', 'JPEG Lossless, First-Order Prediction (Process 14 [Selection Value 1])', encapsulated],
  ['1.2.840.10008.1.2.4.80', 'JPEG-LS Lossless', encapsulated],
  ['1.2.840.10008.1.2.4.81', 'JPEG-LS Near-Lossless', lossy],
  ['1.2.840.10008.1.2.4.90', 'JPEG 2000 (Lossless Only)', encapsulated],
  ['1.2.840.10008.1.2.4.91', 'JPEG 2000', lossy],
  ['1.2.840.10008.1.2.4.92', 'JPEG 2000 Part 2 Multi-component (Lossless Only)', encapsulated],
  ['1.2.840.10008.1.2.4.93', 'JPEG 2000 Part 2 Multi-component', lossy],
  ['1.2.840.10008.1.2.4.94', 'JPIP Referenced'],
  ['1.2.840.10008.1.2.4.95', 'JPIP Referenced Deflate', { isDeflated: true }],
  ['1.2.840.10008.1.2.4.100', 'MPEG2 Main Profile / Main Level', lossy],
  ['1.2.840.10008.1.2.4.100.1', 'Fragmentable MPEG2 Main Profile / Main Level', lossy],
  ['1.2.840.10008.1.2.4.101', 'MPEG2 Main Profile / High Level', lossy],
  ['1.2.840.10008.1.2.4.101.1', 'Fragmentable MPEG2 Main Profile / High Level', lossy],
  ['1.2.840.10008.1.2.4.102', 'MPEG-4 AVC/H.264 High Profile / Level 4.1', lossy],
  ['1.2.840.10008.1.2.4.102.1', 'Fragmentable MPEG-4 AVC/H.264 High Profile / Level 4.1', lossy],
  ['1.2.840.10008.1.2.4.103', 'MPEG-4 AVC/H.264 BD-compatible High Profile / Level 4.1', lossy],
  ['1.2.840.10008.1.2.4.103.1', 'Fragmentable MPEG-4 AVC/H.264 BD-compatible High Profile / Level 4.1', lossy],
  ['1.2.840.10008.1.2.4.104', 'MPEG-4 AVC/H.264 High Profile / Level 4.2 For 2D Video', lossy],
  ['1.2.840.10008.1.2.4.105', 'MPEG-4 AVC/H.264 High Profile / Level 4.2 For 3D Video', lossy],
  ['1.2.840.10008.1.2.4.106', 'MPEG-4 AVC/H.264 Stereo High Profile / Level 4.2', lossy],
  ['1.2.840.10008.1.2.4.107', 'HEVC/H.265 Main Profile / Level 5.1', lossy],
  ['1.2.840.10008.1.2.4.108', 'HEVC/H.265 Main 10 Profile / Level 5.1', lossy],
  ['1.2.840.10008.1.2.4.110', 'JPEG XL Lossless', encapsulated],
  ['1.2.840.10008.1.2.4.111', 'JPEG XL JPEG Recompression', lossy],
  ['1.2.840.10008.1.2.4.112', 'JPEG XL', lossy],
  ['1.2.840.10008.1.2.4.201', 'High-Throughput JPEG 2000 (Lossless Only)', encapsulated],
  ['1.2.840.10008.1.2.4.202', 'High-Throughput JPEG 2000 with RPCL Options (Lossless Only)', encapsulated],
  ['1.2.840.10008.1.2.4.203', 'High-Throughput JPEG 2000', lossy],
  ['1.2.840.10008.1.2.5', 'RLE Lossless', encapsulated],
  ['1.2.840.10008.1.2.8.1', 'Deflated Image Frame Compression', encapsulated],
]

const known = new Map(rows.map(([uid, name, traits]) => [uid, describe(uid, name, traits)]))

/**
 * The traits of a transfer syntax. An unknown (private) one is explicit little endian, as every syntax but the
 * first has been since 1993.
 */
export function transferSyntaxOf(uid: string): TransferSyntax {
  return known.get(uid) ?? describe(uid, 'Unknown transfer syntax')
}

export function isKnownTransferSyntax(uid: string): boolean {
  return known.has(uid)
}

function describe(uid: string, name: string, traits: Traits = {}): TransferSyntax {
  return {
    uid,
    name,
    isExplicit: true,
    isLittleEndian: true,
    isDeflated: false,
    isEncapsulated: false,
    isLossy: false,
    ...traits,
  }
}
