import { addressOf } from '@hilum/contract/route'
import { uploadImage, uploadImageByLink } from '@hilum/contract/routes/storage-uploads'
import * as z from 'zod/mini'
import { sendFile, type SendTerms } from './send-file.ts'
import { refusalOf } from './send-refusal.ts'
import { sendFaultOf, unreadFaultOf } from './send-fault.ts'

/** The storage's 202 for an image, which is on disk and on record by then. */
const accepted = z.object({
  study_uid: z.string(),
  image_uid: z.string(),
  image_version: z.coerce.string(),
  /** duplicate: the same content was there; conflict: kept beside another image of the same SOP UID. */
  outcome: z._default(z.enum(['stored', 'duplicate', 'conflict']), 'stored'),
})
export type AcceptedImage = z.infer<typeof accepted>

interface ImageToSend {
  file: File
  studyUid: string
  namespace: string
}

/**
 * Sends one DICOM file as it is (API-41).
 * @throws SendFault, or the signal's reason when that aborts
 */
export async function sendImage(image: ImageToSend, terms: SendTerms): Promise<AcceptedImage> {
  const address = addressOf(uploadImage, { namespace: image.namespace }, { study_uid: image.studyUid })
  const reply = await sendFile(address, image.file, terms)
  if (reply.status !== 200 && reply.status !== 202) throw await refusalOf(reply, terms)
  terms.onBytes(image.file.size)
  try {
    return accepted.parse(JSON.parse(reply.body))
  } catch (cause) {
    throw unreadFaultOf(reply.status, reply.body, cause)
  }
}

/**
 * Sends one DICOM file by a request for studies. A session that has ended is not permitted to: nobody could sign in.
 * @throws SendFault, or the signal's reason when that aborts
 */
export async function sendImageByLink(
  image: Omit<ImageToSend, 'namespace'>,
  terms: SendTerms,
): Promise<Pick<AcceptedImage, 'outcome'>> {
  const address = addressOf(uploadImageByLink, {}, { study_uid: image.studyUid })
  const reply = await sendFile(address, image.file, terms)
  if (reply.status !== 202) throw sendFaultOf(reply.status === 401 ? 403 : reply.status, reply.body)
  terms.onBytes(image.file.size)
  return { outcome: 'stored' }
}
