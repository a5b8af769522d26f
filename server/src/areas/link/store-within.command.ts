import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import { findOpenRequest, giveBackBytes, type OpenRequest, reserveBytes } from './link-upload.sql.ts'

/** Bytes set aside at once for a body whose length nobody said. */
const STEP = 16 * 1024 * 1024

/**
 * Stores one object of a request within the bytes that the request may store. They are set aside before they come, and
 * given back where nothing new was stored, so that uploads at once never store more together.
 * @param length of the object; undefined where the sender does not say, whose body is then counted as it comes
 * @param store reads the body that it is given
 * @throws StorageError PAYLOAD_TOO_LARGE, with the bytes that are left; ACCESS_DENIED where the request ended meanwhile
 */
export async function storeWithin<Stored extends { outcome: string }>(
  services: Pick<Services, 'db'>,
  request: OpenRequest,
  sent: SentBody,
  store: (body: AsyncIterable<Uint8Array>) => Promise<Stored>,
): Promise<Stored> {
  return storeCounted(services, request, sent, store, ({ outcome }, bytes) => (outcome === 'duplicate' ? 0 : bytes))
}

export interface SentBody {
  length: number | undefined
  body: AsyncIterable<Uint8Array>
}

/**
 * The same of a body with several objects.
 * @param newBytes those that the objects of the body take which are new
 */
export async function storeCounted<Stored>(
  { db }: Pick<Services, 'db'>,
  request: OpenRequest,
  { length, body }: SentBody,
  store: (body: AsyncIterable<Uint8Array>) => Promise<Stored>,
  newBytes: (stored: Stored, bodyBytes: number) => number,
): Promise<Stored> {
  let [reserved, counted, taken] = [0, 0, 0]
  const reserve = async (bytes: number) => {
    const isGranted = await db.transaction().execute((tx) => reserveBytes(tx, request, bytes))
    if (isGranted) reserved += bytes
    return isGranted
  }
  const demand = async (bytes: number) => {
    if (!(await reserve(bytes))) throw await refusal(db, request)
  }
  async function* counting() {
    for await (const chunk of body) {
      counted += chunk.length
      const lacking = counted - reserved
      if (lacking > 0 && !(await reserve(Math.max(lacking, STEP)))) await demand(lacking)
      yield chunk
    }
  }
  try {
    if (length) await demand(length)
    const stored = await store(counting())
    taken = newBytes(stored, counted)
    return stored
  } finally {
    const unused = reserved - taken
    if (unused > 0) await giveBackBytes(db, request.link_uuid, unused)
  }
}

async function refusal(db: Services['db'], { link_uuid: linkUuid }: OpenRequest): Promise<StorageError> {
  const request = await findOpenRequest(db, linkUuid)
  if (!request) return new StorageError('ACCESS_DENIED', 'The request has ended')
  const [most, left] = [inMegabytes(request.max_bytes), inMegabytes(request.left_bytes)]
  return new StorageError('PAYLOAD_TOO_LARGE', `At most ${most} MB are taken here, of which ${left} MB are left`, {
    left_bytes: String(request.left_bytes),
  })
}

const inMegabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

/**
 * Demands that a request is still open, while many images are made of one file of it.
 * @throws StorageError ACCESS_DENIED
 */
export async function demandOpen({ db }: Pick<Services, 'db'>, { link_uuid: linkUuid }: OpenRequest): Promise<void> {
  if (!(await findOpenRequest(db, linkUuid))) throw new StorageError('ACCESS_DENIED', 'The request has ended')
}
