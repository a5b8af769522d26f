import { CONFLICT_COMMENT } from '@hilum/contract/arrival-texts'
import { addressOf } from '@hilum/contract/route'
import { storeInstancesOfStudy } from '@hilum/contract/routes/dicomweb'
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
  { sid, signal, onBytes }: TogetherTerms,
): Promise<ReadonlyMap<PlannedFile, Pick<AcceptedImage, 'outcome'>>> {
  // the answer names instances by their UIDs: of files that share one it would not tell which was stored
  const alone = Map.groupBy(files, ({ sopUid }) => sopUid)
  const named = files.filter(({ sopUid }) => alone.get(sopUid)?.length === 1)
  const [first] = named
  if (!first) return new Map()
  const { boundary, whole, parts } = await readParts(named)
  signal.throwIfAborted()
  const hashes = hashBytes(parts)
  const reply = await sendByXhr(
    {
      address: addressOf(storeInstancesOfStudy, { namespace, study: first.studyUid }),
      headers: { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
      sizeBytes: whole.size,
      body: whole,
    },
    { sid, signal, onGone: () => undefined, onBytes: (sent) => tellBytes(named, sent, onBytes) },
  )
  await hashes
  if (!ANSWERED.includes(reply.status)) return new Map()
  const taken = stored.parse(JSON.parse(reply.body))['00081199']?.Value ?? []
  const outcomes = new Map(
    taken.map(({ '00081155': uid, '00000902': comment }) => [
      uid.Value[0],
      { outcome: comment?.Value[0] === CONFLICT_COMMENT ? ('conflict' as const) : ('stored' as const) },
    ]),
  )
  return new Map(
    named.flatMap((one) => {
      const outcome = outcomes.get(one.sopUid)
      return outcome ? [[one, outcome]] : []
    }),
  )
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
