/** The lossless compressions that pixels can be written in. */
export type FrameEncoding = 'jpegLs' | 'jpeg2000' | 'htj2k'

/** Source: PS3.6 Annex A. */
export const syntaxOfEncoding: Readonly<Record<FrameEncoding, string>> = {
  jpegLs: '1.2.840.10008.1.2.4.80',
  jpeg2000: '1.2.840.10008.1.2.4.90',
  htj2k: '1.2.840.10008.1.2.4.201',
}

export const encodings = Object.keys(syntaxOfEncoding) as readonly FrameEncoding[] // as it is declared

/** The encoding for a transfer syntax; undefined when nothing here writes it. */
export function encodingFor(transferSyntaxUid: string | undefined): FrameEncoding | undefined {
  return encodings.find((encoding) => syntaxOfEncoding[encoding] === transferSyntaxUid)
}

/** Whether a form is an encoding, among the names of other forms. */
export function isEncoding(form: string): form is FrameEncoding {
  return Object.hasOwn(syntaxOfEncoding, form)
}
