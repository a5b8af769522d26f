import { type FileBeginning, firstBytesOf, readModelled } from '@hilum/dicom/node/read-beginning'
import { factsOfInstance, type OutgoingFile } from '../altered/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { collectParts, lengthOfPart } from '../storage/parts.ts'

/** Enough to see that the pixel data element begins. */
const pixelHeaderBytes = 64

/**
 * The header of an instance as it leaves, corrections applied, read from as much of its beginning as it takes.
 * @throws DicomReadError when it is damaged
 */
export function readOutgoingHeader(
  instance: StoredInstance,
  { parts, length, isCorrected }: Pick<OutgoingFile, 'parts' | 'length' | 'isCorrected'>,
): Promise<FileBeginning> {
  const [first] = parts
  const firstBytes =
    isCorrected && first ? lengthOfPart(first) + pixelHeaderBytes : firstBytesOf(factsOfInstance(instance))
  return readModelled((bytes) => collectParts(parts, bytes), length, firstBytes)
}
