import { DicomReadError } from '@hilum/dicom/read-error'
import type { Services } from '../../services.ts'
import { explainNoPicture } from '../pictures/draw-frame.command.ts'
import { findPdf } from './encapsulated-document.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { Part } from '../storage/parts.ts'
import { findVideo, videoTypeOf } from '../pictures/video-stream.ts'
import { SecondaryCaptureStorage, VlPhotographicStorage } from './wrapped-classes.ts'

/** Encapsulated PDF, CDA and models of solids (PS3.4 B.5). */
const ENCAPSULATED = '1.2.840.10008.5.1.4.1.1.104.'

/** The file that an object was made from, where it holds it as it was; `ending` without its dot. */
type UnwrappedFile = { part: Part; ending: string }

/**
 * A PDF or a video, fetched when it is sent; undefined for what is drawn.
 * @throws StorageError when a video cannot be read
 */
export async function findUnwrapped(services: Services, instance: StoredInstance): Promise<UnwrappedFile | undefined> {
  if (instance.sop_class.startsWith(ENCAPSULATED)) {
    const pdf = await findPdf(services.store, instance).catch((error: unknown) => {
      // drawing it tells the reason
      if (error instanceof DicomReadError) return undefined
      throw error
    })
    return pdf && { part: pdf, ending: 'pdf' }
  }
  const video = await findVideo(services, instance).catch(explainNoPicture)
  return video && { part: video, ending: videoTypeOf(instance).ending }
}

/** Whether an object is made around a file that is no DICOM: a document, a video, a picture. */
export function isWrapping({ sop_class }: StoredInstance, unwrapped: UnwrappedFile | undefined): boolean {
  const isPicture = sop_class === SecondaryCaptureStorage || sop_class === VlPhotographicStorage
  return unwrapped !== undefined || isPicture || sop_class.startsWith(ENCAPSULATED)
}
