import {
  type Commitment,
  CommitmentFailure,
  type FailedImage,
  type ReferencedImage,
} from '@hilum/dicom/dimse/commitment'
import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { findDestinationOfTitle } from '../destination/destination-of-title.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { type HeldImage, insertQuestion, listHeldImages } from './commitment.sql.ts'

const LOOKED_UP_AT_ONCE = 500

/**
 * Takes the question of a peer for commitment (PS3.4 J.3.2). It is stored before it is answered, and reported on over an
 * association of our own, to the destination that has the AE title of the peer.
 * @returns false where no destination is that peer, so that the report can go over the present association alone
 */
export async function takeQuestion(
  { db }: Pick<Services, 'db'>,
  namespaceUuid: string,
  peer: { callingTitle: string; address: string },
  { transactionUid, images }: Commitment,
): Promise<boolean> {
  const asked = { title: peer.callingTitle, namespaceUuid, askingAddress: peer.address }
  const destination = await findDestinationOfTitle(db, asked, false)
  if (!destination) return false
  const uuid = randomUUID()
  await db.transaction().execute(async (tx) => {
    await insertQuestion(tx, {
      uuid,
      namespace_uuid: namespaceUuid,
      destination_uuid: destination.uuid,
      transaction_uid: transactionUid,
      images,
    })
    const about = { accountUuid: destination.account_uuid }
    const group = `commitment-report:${destination.uuid}`
    await enqueue(tx, declaredJobs.reportCommitment, { questionUuid: uuid }, { key: uuid, group, about })
  })
  return true
}

/**
 * The images that a place stores for good: its own images, of studies that nobody deleted there, whose bytes lie in the
 * store. Whatever the peer stored under a name counts, also where other content came first.
 */
export async function answerCommitment(
  { db, store }: Pick<Services, 'db' | 'store'>,
  namespaceUuid: string,
  asked: readonly ReferencedImage[],
): Promise<Pick<Commitment, 'images' | 'failed'>> {
  const images: ReferencedImage[] = []
  const failed: FailedImage[] = []
  const sizes = new Map<string, Promise<number>>()
  const isThere = async ({ object_key, byte_offset, length }: HeldImage) => {
    const size = sizes.get(object_key) ?? store.size(object_key).catch(() => 0)
    sizes.set(object_key, size)
    return (await size) >= byte_offset + length
  }
  for (let first = 0; first < asked.length; first += LOOKED_UP_AT_ONCE) {
    const part = asked.slice(first, first + LOOKED_UP_AT_ONCE)
    const held = await listHeldImages(db, namespaceUuid, [...new Set(part.map((one) => one.sopInstance))])
    const byName = Map.groupBy(held, (one) => one.sop_uid)
    for (const one of part) {
      const reason = await reasonAgainst(one, byName.get(one.sopInstance) ?? [], isThere)
      if (reason === undefined) images.push(one)
      else failed.push({ ...one, reason })
    }
  }
  return { images, failed }
}

async function reasonAgainst(
  { sopClass }: ReferencedImage,
  held: readonly HeldImage[],
  isThere: (image: HeldImage) => Promise<boolean>,
): Promise<number | undefined> {
  if (held.length === 0) return CommitmentFailure.NoSuchInstance
  const ofClass = held.filter((one) => one.sop_class === sopClass)
  if (ofClass.length === 0) return CommitmentFailure.ClassConflict
  for (const one of ofClass) if (!(await isThere(one))) return CommitmentFailure.Processing
  return undefined
}
