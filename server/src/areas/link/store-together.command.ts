import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import { type ImageArrival, receiveImage } from '../ingest/receive-image.command.ts'
import type { OpenRequest } from './link-upload.sql.ts'
import { type SentBody, storeCounted } from './store-within.command.ts'

interface SentPart {
  body: AsyncIterable<Uint8Array>
  release: () => void
}

interface TakenPart {
  sopUid: string
  outcome: string
  bytes: number
}

/**
 * Stores DICOM files that a request sends in one body, within the bytes that it may store. A file that is refused stops
 * no other and is told by its absence: sent by itself it is told why.
 * @param open reads the parts of the body
 * @returns the files that are stored, in their order
 * @throws StorageError the first refusal, where nothing was stored
 */
export async function storeTogether(
  services: Services,
  request: OpenRequest,
  arrival: ImageArrival,
  sent: SentBody,
  open: (body: AsyncIterable<Uint8Array>) => AsyncIterable<SentPart>,
): Promise<TakenPart[]> {
  return storeCounted(
    services,
    request,
    sent,
    (body) => storeParts(services, arrival, open(body)),
    (parts) => parts.reduce((sum, { outcome, bytes }) => sum + (outcome === 'duplicate' ? 0 : bytes), 0),
  )
}

async function storeParts(
  services: Services,
  arrival: ImageArrival,
  parts: AsyncIterable<SentPart>,
): Promise<TakenPart[]> {
  const running: Promise<TakenPart | undefined>[] = []
  let refusal: unknown
  const noteRefusal = (error: unknown) => {
    if (!(error instanceof StorageError)) services.log.error({ event: 'storing an instance failed', err: error })
    refusal ??= error
    return undefined
  }
  try {
    for await (const part of parts)
      running.push(storePart(services, arrival, part).catch(noteRefusal).finally(part.release))
  } catch (error) {
    noteRefusal(error)
  }
  const taken = (await Promise.all(running)).filter((one) => one !== undefined)
  if (taken.length === 0) throw refusal ?? new StorageError('BAD_REQUEST', 'The body holds no file')
  return taken
}

async function storePart(services: Services, arrival: ImageArrival, { body }: SentPart): Promise<TakenPart> {
  let bytes = 0
  async function* counting() {
    for await (const chunk of body) {
      bytes += chunk.length
      yield chunk
    }
  }
  const { facts, outcome } = await receiveImage(services, arrival, counting())
  return { sopUid: facts.sopUid, outcome, bytes }
}
