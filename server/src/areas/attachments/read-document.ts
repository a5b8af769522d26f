import { inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { DicomReadError, type ReadErrorCode } from '@hilum/dicom/read-error'
import { Tag } from '@hilum/dicom/tags'

/** The answer of a thread: errors do not keep their class on the way. */
export type DocumentAnswer =
  | { kind: 'document'; bytes: Uint8Array | undefined }
  | { kind: 'refused'; code: ReadErrorCode; message: string }

/** The document inside a whole file, in the thread of the caller. */
export function readDocument(bytes: Uint8Array): DocumentAnswer {
  try {
    const read = readHeader(bytes, { inflate, untilPixelData: true })
    const element = read.kind === 'header' ? read.header.dataSet.elements.get(Tag.EncapsulatedDocument) : undefined
    if (read.kind !== 'header' || !element) return { kind: 'document', bytes: undefined }
    const { bytes: whole } = read.header.dataSet.source
    // a copy, so that nothing but the document is sent
    return { kind: 'document', bytes: whole.slice(element.valueStart, element.valueStart + element.length) }
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    return { kind: 'refused', code: error.code, message: error.message }
  }
}
