import { CONFLICT_COMMENT, DUPLICATE_COMMENT } from '@hilum/contract/arrival-texts'
import { addressOf } from '@hilum/contract/route'
import { storeInstancesOfStudy } from '@hilum/contract/routes/dicomweb'
import { uploadImageByLink } from '@hilum/contract/routes/storage-uploads'
import * as z from 'zod/mini'
import { hashBytes } from './hash-file.ts'
import { sendByXhr } from './send-file.ts'
import type { AcceptedImage } from './send-image.ts'
import type { PlannedFile } from './upload-plan.ts'

const values = z.object({ Value: z.array(z.string()) })
/** Instances that a store request took in: UID, and a comment where there is something to be known (PS3.18 §10.5.3). */
const stored = z.object({
  '00081199': z.optional(
    z.object({ Value: z.array(z.object({ '00081155': values, '00000902': z.optional(values) })) }),
  ),
})
const outcomeOfComment: Readonly<Record<string, AcceptedImage['outcome']>> = {
  [CONFLICT_COMMENT]: 'conflict',
  [DUPLICATE_COMMENT]: 'duplicate',
}
/** Images that the door of a request took in. */
const takenByLink = z.object({ images: z.array(z.object({ image_uid: z.string() })) })
/** Statuses of answers that name what was stored; 409 where that is nothing. */
const ANSWERED = [200, 202]

interface TogetherTerms {
  sid: string
  signal: AbortSignal
  onBytes: (file: PlannedFile, sentBytes: number) => void
}

/**
 * Sends files of one study in one request (STOW-RS), and hashes them meanwhile by one reading, so that the two lists can
 * be compared afterwards. The body names the files: bytes of the page's own would be copied from process to process.
 * @returns those that were stored; others are to be sent by themselves, which tells why
 * @throws an error when no answer came
 */
export async function sendTogether(
  files: readonly PlannedFile[],
  namespace: string,
  terms: TogetherTerms,
): Promise<ReadonlyMap<PlannedFile, Pick<AcceptedImage, 'outcome'>>> {
  const addressFor = (study: string) => addressOf(storeInstancesOfStudy, { namespace, study })
  return sendParts(files, { ...terms, addressFor, hashes: true, readTaken: readStored })
}

/**
 * The same by a request for studies, whose files were hashed before.
 * @returns those that were stored; others are to be sent by themselves, which tells why
 * @throws an error when no answer came
 */
export async function sendTogetherByLink(
  files: readonly PlannedFile[],
  terms: TogetherTerms,
): Promise<ReadonlyMap<PlannedFile, Pick<AcceptedImage, 'outcome'>>> {
  const addressFor = (study: string) => addressOf(uploadImageByLink, {}, { study_uid: study })
  return sendParts(files, { ...terms, addressFor, hashes: false, readTaken: readTakenByLink })
}

interface Door extends TogetherTerms {
  addressFor: (studyUid: string) => string
  /** Hash the files meanwhile. */
  hashes: boolean
  /** Outcomes by SOP Instance UID in an answer. */
  readTaken: (body: unknown) => ReadonlyMap<string | undefined, Pick<AcceptedImage, 'outcome'>>
}

async function sendParts(
  files: readonly PlannedFile[],
  { sid, signal, onBytes, addressFor, hashes: isHashed, readTaken }: Door,
): Promise<ReadonlyMap<PlannedFile, Pick<AcceptedImage, 'outcome'>>> {
  // the answer names instances by their UIDs: of files that share one it would not tell which was stored
  const alone = Map.groupBy(files, ({ sopUid }) => sopUid)
  const named = files.filter(({ sopUid }) => alone.get(sopUid)?.length === 1)
  const [first] = named
  if (!first) return new Map()
  const { boundary, whole, parts } = await readParts(named)
  signal.throwIfAborted()
  const hashes = isHashed ? hashBytes(parts) : undefined
  const reply = await sendByXhr(
    {
      address: addressFor(first.studyUid),
      headers: { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
      sizeBytes: whole.size,
      body: whole,
    },
    { sid, signal, onGone: () => undefined, onBytes: (sent) => tellBytes(named, sent, onBytes) },
  )
  await hashes
  if (!ANSWERED.includes(reply.status)) return new Map()
  const outcomes = readTaken(JSON.parse(reply.body))
  return new Map(
    named.flatMap((one) => {
      const outcome = outcomes.get(one.sopUid)
      return outcome ? [[one, outcome]] : []
    }),
  )
}

function readStored(body: unknown) {
  const taken = stored.parse(body)['00081199']?.Value ?? []
  return new Map(
    taken.map(({ '00081155': uid, '00000902': comment }) => [
      uid.Value[0],
      { outcome: outcomeOfComment[comment?.Value[0] ?? ''] ?? 'stored' },
    ]),
  )
}

function readTakenByLink(body: unknown) {
  return new Map(takenByLink.parse(body).images.map(({ image_uid: uid }) => [uid, { outcome: 'stored' as const }]))
}

/** The body of a request, and where in it the bytes of each file are. @throws an error where a file cannot be read */
async function readParts(files: readonly PlannedFile[]) {
  const boundary = `hilum-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  const lead = `\r\n--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`
  const close = `\r\n--${boundary}--\r\n`
  const whole = new Blob([...files.flatMap(({ file }) => [lead, file]), close])
  const body = new Uint8Array(await whole.arrayBuffer())
  const expected = files.reduce((sum, { file }) => sum + lead.length + file.size, close.length)
  if (body.length !== expected) throw new Error('A file has changed since it was chosen')
  const parts = new Map<File, Uint8Array<ArrayBuffer>>()
  let end = 0
  for (const { file } of files) {
    const start = end + lead.length
    end = start + file.size
    parts.set(file, body.subarray(start, end))
  }
  return { boundary, whole, parts }
}

/** Shares bytes of a request out among its files, in their order; what stands between files counts to the one before. */
function tellBytes(files: readonly PlannedFile[], sentBytes: number, onBytes: TogetherTerms['onBytes']): void {
  let left = sentBytes
  for (const one of files) {
    const sent = Math.min(Math.max(left, 0), one.file.size)
    onBytes(one, sent)
    left -= sent
  }
}
