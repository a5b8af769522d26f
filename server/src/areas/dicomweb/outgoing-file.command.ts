import type { Correction } from '@hilum/dicom/node/correct-file'
import { type FrameEncoding, isEncoding, syntaxOfEncoding } from '@hilum/dicom/render/encodings'
import { RenderError } from '@hilum/dicom/render/render-error'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import { asChanged, type Change } from '../altered/anonymized-instance.ts'
import { asReceived, demandCorrectable } from '../altered/corrected-instance.ts'
import { CannotSendError } from '../altered/cannot-send.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { Part } from '../storage/parts.ts'
import { asEncoded } from './encoded-instance.command.ts'
import { asExplicit } from './explicit-instance.command.ts'
import { openedInTurn } from './opened-in-turn.ts'

/**
 * How an instance is to leave; `preferExplicit` falls back to the stored form where pixels cannot be decoded, an encoding
 * compresses them without losses.
 */
export type OutgoingForm = 'stored' | 'explicit' | 'preferExplicit' | FrameEncoding

type FileToSend = { parts: Part[]; length: number; transferSyntax: string; isCorrected: boolean }

/**
 * A whole instance on its way out: the record's corrections applied and tags replaced, then put into another transfer syntax if one
 * is wanted.
 * @param signal ends the compressing of frames, which comes before the first byte
 * @throws RenderError when it is wanted and cannot be had, CannotSendError
 */
export async function makeOutgoingFile(
  services: Services,
  instance: StoredInstance,
  change: Change | undefined,
  form: OutgoingForm,
  signal?: AbortSignal,
): Promise<FileToSend> {
  if (form === 'stored' && !change) return makeOutgoingFileNow(services, instance, change, form, signal)
  return openedInTurn(instance, async () => {
    if (signal?.aborted) throw new RenderError('cancelled', 'The client has left.')
    return makeOutgoingFileNow(services, instance, change, form, signal)
  })
}

async function makeOutgoingFileNow(
  services: Services,
  instance: StoredInstance,
  change: Change | undefined,
  form: OutgoingForm,
  signal: AbortSignal | undefined,
): Promise<FileToSend> {
  const { store } = services
  const outgoing = change ? await asChanged(store, instance, change) : asReceived(store, instance)
  const { isCorrected } = outgoing
  const asStored = { ...outgoing, transferSyntax: instance.transfer_syntax }
  if (isEncoding(form)) {
    const transferSyntax = syntaxOfEncoding[form]
    if (transferSyntax === instance.transfer_syntax) return asStored
    return { ...(await asEncoded(services, instance, outgoing, form, { signal })), transferSyntax, isCorrected }
  }
  if (form === 'stored' || instance.transfer_syntax === ExplicitLittleEndian) return asStored
  try {
    const made = await asExplicit(services, instance, outgoing)
    return { ...made, transferSyntax: ExplicitLittleEndian, isCorrected }
  } catch (error) {
    if (form === 'preferExplicit' && cannotBeSentSo(error)) return asStored
    throw error
  }
}

/** Instances that are looked at together before an answer with all of them begins. */
const parallelLooks = 4

/** Why instances cannot leave with the corrections of their record: an error for each of those, of all that are asked about. */
export async function listUncorrectable(
  { store }: Services,
  instances: readonly StoredInstance[],
  correction: Correction,
): Promise<CannotSendError[]> {
  const rest = [...instances]
  const found: CannotSendError[] = []
  const look = async () => {
    for (let instance = rest.pop(); instance; instance = rest.pop()) {
      const one = instance
      await openedInTurn(one, () => demandCorrectable(store, one, correction)).catch((error: unknown) => {
        if (!(error instanceof CannotSendError)) throw error
        found.push(error)
      })
    }
  }
  await Promise.all(Array.from({ length: parallelLooks }, look))
  return found.toSorted((one, other) => (one.sopUid < other.sopUid ? -1 : 1))
}

/** Whether an instance itself stands against the form that was wanted. */
export function cannotBeSentSo(error: unknown): boolean {
  return error instanceof RenderError && !isOurFault(error)
}

const ourFaults: ReadonlySet<RenderError['fault']> = new Set([
  'busy',
  'timedOut',
  'crashed',
  'closed',
  'cancelled',
  'unreadable',
])

function isOurFault({ fault }: RenderError): boolean {
  return ourFaults.has(fault)
}
