import { attributeOfField } from '@hilum/contract/entities/study-attributes'
import type { NewUids } from '@hilum/dicom/renamed-references'
import type { ElementEdit } from '@hilum/dicom/splice'
import { parseTag, Tag } from '@hilum/dicom/tags'
import type { Services } from '../../services.ts'
import { asCorrected } from '../altered/corrected-instance.ts'
import { withDescribed } from '../altered/described-values.ts'
import { type ImageArrival, receiveImage } from '../ingest/receive-image.command.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { streamParts } from '../storage/parts.ts'

type Moving = { uuid: string; to_study_uid: string; created: string; written: Partial<Demographics> }

/**
 * Stores an image anew under the UIDs of the study that it moves to; an image of a merge takes the patient and exam of
 * that study as well. All else in it stays, the former values in the Original Attributes Sequence; references to images
 * that move too are renamed.
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
  const edits = [
    { tag: Tag.SOPInstanceUID, old: sop_uid, new: renamed.image.get(sop_uid) ?? sop_uid, isForAll: true },
    { tag: Tag.StudyInstanceUID, old: '', new: one.to_study_uid, isForAll: true },
    { tag: Tag.SeriesInstanceUID, old: series_uid, new: renamed.series.get(series_uid) ?? series_uid, isForAll: true },
    ...writtenEdits(one.written),
  ]
  const file = await asCorrected(services.store, instance, { edits, modifiedAt: dicomMoment(one.created), renamed })
  const { version } = await receiveImage(services, arrival, streamParts(file.parts, 0, file.length))
  return version
}

function writtenEdits(written: Partial<Demographics>): ElementEdit[] {
  return (Object.entries(written) as [keyof Demographics, string][]).map(([field, value]) => {
    if (field === 'issuer') return withDescribed({ tag: Tag.IssuerOfPatientID, old: '', new: value, isForAll: true })
    const { tag, isMultiple = false } = attributeOfField(field)
    return withDescribed({ tag: parseTag(tag) as number, old: '', new: value, isForAll: true, isMultiple }) // a tag of the dictionary
  })
}

/** `2026-01-31 12:34:56…` as YYYYMMDDHHMMSS+0000: the same in each run, so that the same bytes are made. */
function dicomMoment(stamp: string): string {
  return `${stamp.replace(/\D/g, '').slice(0, 14)}+0000`
}
