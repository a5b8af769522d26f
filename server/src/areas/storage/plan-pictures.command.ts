import { drawAllFrames } from './draw-all-frames.ts'
import type { Services } from '../../services.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { placeFiles } from './place-files.ts'
import { type DownloadWish, findForDownload, zipNameOf } from './plan-download.command.ts'
import { streamZip } from './zip-layout.ts'

/**
 * Every frame of a study as JPEG in a ZIP that is made while it is sent. Frames without a picture are named with the
 * reason in ERROR.txt.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND
 */
export async function planPictures(
  services: Services,
  record: Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'study_uid'>,
  storageNamespace: string,
  wish: DownloadWish,
): Promise<{ body: AsyncGenerator<Uint8Array>; filename: string }> {
  const found = await findForDownload(services, record, storageNamespace, wish)
  const { instances, leaving, newest } = found
  const ids = await placeFiles(services, found, wish)
  const named = instances.map((instance, index) => ({ instance, name: (ids[index] ?? []).join('/') }))
  return {
    body: streamZip(drawAllFrames(services, named, { depth: 8 }), newest),
    filename: zipNameOf(leaving).replace(/\.zip$/, '_images.zip'),
  }
}
