import { walkDataSet } from '../data-set.ts'
import { type DicomElement, type Encoding, sourceOf } from '../elements.ts'
import { Tag } from '../tags.ts'
import { encodeRaw } from '../write-part10.ts'
import { StreamHead } from './stream-head.ts'

/** In the order of a data set. */
const uidTags: readonly number[] = [Tag.SOPClassUID, Tag.SOPInstanceUID, Tag.StudyInstanceUID, Tag.SeriesInstanceUID]

/**
 * An explicit data set whose identifying UIDs have the VR UI. Peers that find UN or no VR there know no name of the
 * object and refuse to store it. All other bytes stay as they are.
 * @throws DicomReadError
 */
export async function* withNamedUids(
  dataSet: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const head = new StreamHead(dataSet)
  try {
    const unnamed = await head.read((bytes, size) => findUnnamed(bytes, size, encoding))
    let at = 0
    for (const { element, value } of unnamed) {
      yield* head.take(element.start - at)
      head.drop(element.end - element.start)
      at = element.end
      yield encodeRaw(element.tag, 'UI', value, encoding)
    }
    yield* head.take(Number.MAX_SAFE_INTEGER)
  } finally {
    await head.close()
  }
}

function findUnnamed(bytes: Uint8Array, size: number, encoding: Encoding) {
  const source = sourceOf(bytes, encoding, bytes.length < size)
  const stopBefore = ({ tag }: { tag: number }) => tag > Math.max(...uidTags)
  const { elements } = walkDataSet(source, encoding, { start: 0, limit: size, stopBefore })
  // implicit data sets under a compressed syntax exist
  if ([...elements.values()].every(({ vr }) => vr === undefined)) return []
  return uidTags
    .map((tag) => elements.get(tag))
    .filter((element): element is DicomElement => element !== undefined && element.vr !== 'UI')
    .map((element) => ({ element, value: bytes.slice(element.valueStart, element.valueStart + element.length) }))
}
