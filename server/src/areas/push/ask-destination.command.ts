import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { findStudies } from '../../outbound/pacs/find-studies.ts'
import { isPassingError } from '../../outbound/pacs/send-instances.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'

/** Studies that a peer is listened to about, for one question. */
const MAX_ANSWERS = 50
const MAX_LOOKUP_MS = 60_000

/**
 * The meaning of the answer of a destination for a study that it is about to be sent. `free`: nothing speaks against it.
 * `other`: the study would come to lie beside another patient, `people` are digests of those. `unknown`: the destination did not say; `mayPass` where
 * asking later may help.
 */
export type LookedUp =
  | { kind: 'free' }
  | { kind: 'other'; words: string; people?: string[] }
  | { kind: 'unknown'; words: string; mayPass: boolean }

type Found = Awaited<ReturnType<typeof findStudies>>

/**
 * Asks a destination by C-FIND for studies, and has the answers judged.
 * @throws what ends the work, when `signal` is aborted
 */
export async function askDestination(
  services: Pick<Services, 'config'>,
  destination: DestinationRow,
  asked: { studyUid: string } | { patientId: string },
  { signal, judge }: { signal: AbortSignal; judge: (found: Found) => LookedUp },
): Promise<LookedUp> {
  if (!destination.can_search)
    return { kind: 'unknown', words: 'the destination is set up without search', mayPass: false }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_LOOKUP_MS)])
  try {
    const peer = await peerOf(services, destination)
    return judge(await findStudies(peer, { ...anything, ...asked }, { maxStudies: MAX_ANSWERS, signal: limit }))
  } catch (error) {
    if (signal.aborted) throw error
    if (limit.aborted) return { kind: 'unknown', words: 'the destination did not answer in time', mayPass: true }
    if (error instanceof DimseError) return { kind: 'unknown', words: error.message, mayPass: isPassingError(error) }
    throw error
  }
}

const anything = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  description: '',
  modality: '',
  firstDate: '',
  lastDate: '',
}
