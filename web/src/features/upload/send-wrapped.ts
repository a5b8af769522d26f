import { addressOf } from '@hilum/contract/route'
import { uploadToWrap, wrapByLink } from '@hilum/contract/routes/storage-uploads'
import * as z from 'zod/mini'
import { sendFaultOf, unreadFaultOf } from './send-fault.ts'
import { sendFile, type SendTerms } from './send-file.ts'
import type { AcceptedImage } from './send-image.ts'
import { refusalOf } from './send-refusal.ts'

/** The storage's 202 for a wrapped file: the images that it became, or the attachment. */
const accepted = z.union([
  z.object({
    images: z.array(z.object({ image_uid: z.string(), outcome: z.enum(['stored', 'duplicate', 'conflict']) })),
  }),
  z.object({ filename: z.string() }),
])

/** The images that a file became, or the name under which it was attached to the study. */
export interface WrappedFile {
  outcome: AcceptedImage['outcome']
  imageUids: string[]
  filename?: string
}

interface WizardFileToWrap {
  file: File
  /** Values of the form, as JSON. */
  tags: string
  namespace: string
}

/**
 * Sends one file that is no DICOM, to be made into images of the study that the tags name (API-38).
 * @throws SendFault, or the signal's reason when that aborts
 */
export async function sendToWrap({ file, tags, namespace }: WizardFileToWrap, terms: SendTerms): Promise<WrappedFile> {
  const reply = await sendFile(addressOf(uploadToWrap, { namespace }, {}), file, terms, formOf(file, tags))
  if (reply.status !== 202) throw await refusalOf(reply, terms)
  terms.onBytes(file.size)
  return readWrapped(reply.status, reply.body)
}

const acceptedByLink = z.object({ images: z.array(z.object({ image_uid: z.string(), sha256: z.string() })) })

/** An image that a file became, by which the server's list is compared. */
export type MadeImage = z.infer<typeof acceptedByLink>['images'][number]

/**
 * Sends one picture or document by a request for studies.
 * @throws SendFault, or the signal's reason when that aborts
 */
export async function sendToWrapByLink(
  { file, tags, studyUid }: Omit<WizardFileToWrap, 'namespace'> & { studyUid: string },
  terms: SendTerms,
): Promise<MadeImage[]> {
  const reply = await sendFile(addressOf(wrapByLink, {}, { study_uid: studyUid }), file, terms, formOf(file, tags))
  // a session that has ended is not permitted to: nobody could sign in
  if (reply.status !== 202) throw sendFaultOf(reply.status === 401 ? 403 : reply.status, reply.body)
  terms.onBytes(file.size)
  try {
    return acceptedByLink.parse(JSON.parse(reply.body)).images
  } catch (cause) {
    throw unreadFaultOf(reply.status, reply.body, cause)
  }
}

/** The values go before the file, which the server then need not keep waiting. */
function formOf(file: File, tags: string): FormData {
  const form = new FormData()
  form.append('tags', tags)
  form.append('file', file, file.name)
  return form
}

/** @throws SendFault when the answer is none of the storage's */
function readWrapped(status: number, body: string): WrappedFile {
  try {
    const reply = accepted.parse(JSON.parse(body))
    if (!('images' in reply)) return { outcome: 'stored', imageUids: [], filename: reply.filename }
    return { outcome: reply.images[0]?.outcome ?? 'stored', imageUids: reply.images.map((one) => one.image_uid) }
  } catch (cause) {
    throw unreadFaultOf(status, body, cause)
  }
}
