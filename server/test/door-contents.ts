import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findItems, findText } from '@hilum/dicom/values'
import type { Door } from './byte-doors.ts'
import { readZip } from './correction-doors.ts'

const ReferencedFileID = 0x00041500

/**
 * The body of a door's answer as two answers of the same images must agree in it: every byte, but for the
 * boundary between parts. An archive that is made on
 * the way is compared file by file, and its DICOMDIR, which has a UID of its own each time, by the files listed.
 */
export function contentsOf([address]: Door, body: Buffer): [name: string, contents: string][] {
  if (!address.includes('transfer_syntax=')) return [['', withoutBoundary(body.toString('latin1'))]]
  return [...readZip(body)].map(([name, bytes]) => [
    name,
    name === 'DICOMDIR' ? listedIn(bytes) : bytes.toString('latin1'),
  ])
}

/** A boundary is drawn anew for each answer, and stands in the first line of a body of parts. */
function withoutBoundary(text: string): string {
  const boundary = /^(?:\r\n)?--(\S+)\r\n/.exec(text)?.[1]
  return boundary === undefined ? text : text.replaceAll(`--${boundary}`, '--')
}

function listedIn(directory: Buffer): string {
  const records = findItems(readDataSet(directory).dataSet, Tag.DirectoryRecordSequence)
  return records.map((record) => findText(record, ReferencedFileID)).join('\n')
}
