import { StorageError } from '@hilum/contract/storage-errors'
import { encodingFor } from '@hilum/dicom/render/encodings'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { OutgoingForm } from '../../areas/dicomweb/outgoing-file.command.ts'

/**
 * How an image leaves for the parameter `transfer_syntax`; without one, or with `*`, as it is stored.
 * @throws StorageError NOT_ACCEPTABLE
 */
export function wantedForm(wanted: string | undefined, stored: string): OutgoingForm {
  if (!wanted || wanted === '*' || wanted === stored) return 'stored'
  if (wanted === ExplicitLittleEndian) return 'explicit'
  const encoding = encodingFor(wanted)
  if (encoding) return encoding
  throw new StorageError(
    'NOT_ACCEPTABLE',
    'The image is given as it was stored, in Explicit VR Little Endian, JPEG-LS Lossless, JPEG 2000 Lossless or HTJ2K Lossless',
  )
}
