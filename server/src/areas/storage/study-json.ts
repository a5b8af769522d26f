import { DicomReadError } from '@hilum/dicom/read-error'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import { readStart } from './corrected-instance.ts'
import { presentTags } from './image-tags.presenter.ts'
import type { StoredInstance } from './instance.sql.ts'

/** The attributes of many images as one JSON list, an image at a time. */
export async function* streamTagsOf(
  store: FileStore,
  instances: readonly StoredInstance[],
  edits: readonly ElementEdit[],
  isWhole: boolean,
): AsyncGenerator<string> {
  let lead = '['
  for (const instance of instances) {
    const { series_uid, sop_uid, version } = instance
    const tags = await tagsOf(store, instance, edits, isWhole)
    yield `${lead}${JSON.stringify({ series_uid, image_uid: sop_uid, image_version: version, ...tags })}`
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
}

async function tagsOf(store: FileStore, instance: StoredInstance, edits: readonly ElementEdit[], isWhole: boolean) {
  try {
    const { header } = await readStart(store, instance)
    return presentTags(header, edits, isWhole)
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    return { tags: [], error: error.message }
  }
}
