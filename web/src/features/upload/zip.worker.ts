import { openZip, type ZipItem, type ZipToOpen } from './open-zip.ts'

/** Sent back for each message: files of the ZIP that was sent, until there are none. */
export type ZipReply =
  | { kind: 'items'; items: ZipItem[] }
  | { kind: 'document' }
  | { kind: 'damaged' }
  | { kind: 'end' }

const FILES_A_BATCH = 64
/** Unpacked bytes of a batch. */
const BATCH_BYTES = 32 * 1024 * 1024

/** The ZIP under way: the first message brings it, each further one asks for more. */
let items: AsyncGenerator<ZipItem> | undefined

self.addEventListener('message', (event: MessageEvent<ZipToOpen | 'more'>) => void answer(event.data))

async function answer(asked: ZipToOpen | 'more') {
  self.postMessage(await reply(asked).catch((): ZipReply => ({ kind: 'damaged' })))
}

async function reply(asked: ZipToOpen | 'more'): Promise<ZipReply> {
  if (asked !== 'more') {
    const opened = await openZip(asked.zip, asked.leftBytes)
    if (opened === 'document') return { kind: 'document' }
    items = opened
  }
  const batch: ZipItem[] = []
  for (let bytes = 0; batch.length < FILES_A_BATCH && bytes < BATCH_BYTES; ) {
    const next = await items?.next()
    if (!next || next.done) break
    batch.push(next.value)
    bytes += next.value.sizeBytes
  }
  return batch.length > 0 ? { kind: 'items', items: batch } : { kind: 'end' }
}
