import { DicomReadError } from '@hilum/dicom/read-error'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import { readStart } from './corrected-instance.ts'
import { type ImageTag, presentTags, type ValueExtent } from './image-tags.presenter.ts'
import type { StoredInstance } from './instance.sql.ts'

export type TagsWish = { isChosen: (tag: ImageTag) => boolean; extent: ValueExtent }

/** The attributes of many images as one JSON list, an image at a time. */
export async function* streamTagsOf(
  store: FileStore,
  instances: readonly StoredInstance[],
  edits: readonly ElementEdit[],
  wish: TagsWish,
): AsyncGenerator<string> {
  let lead = '['
  for (const instance of instances) {
    const { series_uid, sop_uid, version } = instance
    const tags = await tagsOf(store, instance, edits, wish)
    yield `${lead}${JSON.stringify({ series_uid, image_uid: sop_uid, image_version: version, ...tags })}`
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
}

async function tagsOf(store: FileStore, instance: StoredInstance, edits: readonly ElementEdit[], wish: TagsWish) {
  try {
    const { header } = await readStart(store, instance)
    return { tags: presentTags(header, edits, wish.extent).tags.filter(wish.isChosen) }
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    return { tags: [], error: error.message }
  }
}
