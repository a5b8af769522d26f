import { cleanFragments, frameFormOf } from '@hilum/dicom/deidentify/clean-fragments'
import { deidentifyFile } from '@hilum/dicom/deidentify/deidentify-file'
import type { AttributeFate } from '@hilum/dicom/deidentify/deidentify-header'
import { type LeftOutReason, mayHoldText, reasonOfHeader, reasonToOmit } from '@hilum/dicom/deidentify/outgoing-images'
import { namingWordsOf } from '@hilum/dicom/deidentify/naming-words'
import { inflate } from '@hilum/dicom/node/inflate'
import { readDataSet } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import type { NamelessDates } from '@hilum/contract/calls/study-deidentify'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { readInstanceStart } from '../altered/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { findPixelEnd } from '../storage/pixel-end.ts'
import { howToWrite, type NamelessSource } from './nameless-source.command.ts'

type Chosen = { dates: NamelessDates; texts: readonly string[]; isPixelsSeen: boolean }

/** An image as it leaves without names, or why it does not. */
type NamelessImage =
  | { kind: 'leftOut'; reason: LeftOutReason }
  | { kind: 'image'; mayHoldText: boolean; body: () => AsyncIterable<Uint8Array> }

/**
 * An image of a study without names. One that cannot be read or written safely is left out.
 * @param tell hears what becomes of each attribute
 */
export async function namelessImage(
  store: ObjectStore,
  source: NamelessSource,
  instance: StoredInstance,
  chosen: Chosen,
  tell?: (fate: AttributeFate) => void,
): Promise<NamelessImage> {
  const reason = reasonToOmit(instance.sop_class, instance.transfer_syntax)
  if (reason) return { kind: 'leftOut', reason }
  try {
    return await written(store, source, instance, chosen, tell)
  } catch (error) {
    if (!(error instanceof DicomReadError) && !(error instanceof RangeError)) throw error
    return { kind: 'leftOut', reason: 'unreadable' }
  }
}

async function written(
  store: ObjectStore,
  source: NamelessSource,
  instance: StoredInstance,
  chosen: Chosen,
  tell: ((fate: AttributeFate) => void) | undefined,
): Promise<NamelessImage> {
  const { bytes, header } = await readInstanceStart(store, instance)
  const { isDeflated } = transferSyntaxOf(instance.transfer_syntax)
  const { dataSet } = isDeflated ? readDataSet(bytes, { inflate }) : header
  const reason = header.pixelElement === undefined ? 'other' : reasonOfHeader(dataSet)
  if (reason) return { kind: 'leftOut', reason }
  const isText = mayHoldText(dataSet, instance.sop_class)
  const how = howToWrite(source, { ...chosen, isPixelsSeen: isText && chosen.isPixelsSeen }, namingWordsOf(dataSet))
  const made = deidentifyFile(bytes, header, how, source.edits, { inflate, ...(tell ? { tell } : {}) })
  const { prefix, pixelOffset } = made
  const end = pixelOffset === undefined ? 0 : await findPixelEnd(store, instance, header, pixelOffset)
  const form = frameFormOf(instance.transfer_syntax)
  const body = async function* () {
    yield prefix
    if (pixelOffset === undefined) return
    const pixels = store.stream(instance.object_key, instance.byte_offset + pixelOffset, end - pixelOffset)
    if (form === 'jpeg' || form === 'jpeg2000') yield* cleanFragments(pixels, form)
    else yield* pixels
  }
  return { kind: 'image', mayHoldText: isText, body }
}
