import type { NewUids } from '@hilum/dicom/renamed-references'
import { Tag } from '@hilum/dicom/tags'
import type { Services } from '../../services.ts'
import { asCorrected } from '../altered/corrected-instance.ts'
import { type ImageArrival, receiveImage } from '../ingest/receive-image.command.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { streamParts } from '../storage/parts.ts'
import { newUidFor } from './new-uids.ts'

type Moving = { uuid: string; to_study_uid: string; created: string }

/**
 * Stores an image anew under the UIDs of the study that it moves to. All else in it stays, the former UIDs in the
 * Original Attributes Sequence; references to images that move too are renamed.
 * @returns the version of the new image
 * @throws CannotSendError where the header cannot be written anew
 */
export async function storeMoved(
  services: Services,
  one: Moving,
  instance: StoredInstance,
  renamed: NewUids,
  arrival: ImageArrival,
): Promise<string> {
  const { series_uid, sop_uid } = instance
  const uidOf = (uid: string) => newUidFor(one.uuid, services.config.uidRoot, uid)
  const edits = [
    { tag: Tag.SOPInstanceUID, old: sop_uid, new: uidOf(sop_uid), isForAll: true },
    { tag: Tag.StudyInstanceUID, old: '', new: one.to_study_uid, isForAll: true },
    { tag: Tag.SeriesInstanceUID, old: series_uid, new: uidOf(series_uid), isForAll: true },
  ]
  const file = await asCorrected(services.store, instance, { edits, modifiedAt: dicomMoment(one.created), renamed })
  const { version } = await receiveImage(services, arrival, streamParts(file.parts, 0, file.length))
  return version
}

/** `2026-01-31 12:34:56…` as YYYYMMDDHHMMSS+0000: the same in each run, so that the same bytes are made. */
function dicomMoment(stamp: string): string {
  return `${stamp.replace(/\D/g, '').slice(0, 14)}+0000`
}
