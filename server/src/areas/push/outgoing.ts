import type { Correction } from '@hilum/dicom/node/correct-file'
import { MustNotSendError, type OutgoingInstance } from '../../outbound/pacs/outgoing-instance.ts'
import type { Services } from '../../services.ts'
import { CannotSendError } from '../altered/cannot-send.ts'
import { makeOutgoingFile } from '../dicomweb/outgoing-file.command.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import { type Part, streamParts } from '../storage/parts.ts'

/** An instance on its way to a DICOM node, and the version of the image that it is. */
export type Outgoing = OutgoingInstance & { version: string }

/**
 * An image as every other door sends it: with the corrections of its record, or not at all. The bytes are made when their
 * turn to be sent comes.
 * @param correct says how the image leaves at that moment; throws MustNotSendError where it must not
 */
export function outgoingOf(
  services: Services,
  instance: StoredInstance,
  correct: () => Promise<Correction | undefined>,
  signal: AbortSignal,
): Outgoing {
  return {
    version: instance.version,
    sopClass: instance.sop_class,
    sopInstance: instance.sop_uid,
    transferSyntax: instance.transfer_syntax,
    open: () => bytesOf(services, instance, correct, signal),
    ownsChunks: true,
    useFile: (use) => storeOf(services.store, instance).useFile(instance, use),
  }
}

async function* bytesOf(
  services: Services,
  instance: StoredInstance,
  correct: () => Promise<Correction | undefined>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const correction = await correct()
  const { parts, length } = await makeOutgoingFile(services, instance, correction, 'stored', signal).catch(
    (error: unknown) => {
      if (!(error instanceof CannotSendError)) throw error
      throw new MustNotSendError(`An image cannot be corrected and is not sent: ${error.message}`, { cause: error })
    },
  )
  yield* streamParts(parts.map(asOwn), 0, length)
}

/** Bytes in memory may be those of every image, as a blank preamble is: each gets its own. */
function asOwn(part: Part): Part {
  return part.kind === 'bytes' ? { kind: 'bytes', bytes: Uint8Array.from(part.bytes) } : part
}
