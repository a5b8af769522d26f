import type { PickedFile, SkippedFile } from './picked-files.ts'
import type { ZipToOpen } from './open-zip.ts'
import type { ZipReply } from './zip.worker.ts'

/** The part of a Web Worker that opening a ZIP uses. */
export type ZipWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>

/** Files of a ZIP found in one go, and those that stay in, with the reason. */
interface ZipBatch {
  files: PickedFile[]
  refused: SkippedFile[]
  /** Bytes of the files that the browser holds besides the ZIP. */
  unpackedBytes: number
  /** The ZIP is a document by itself. */
  isDocument?: boolean
}

const none = { files: [], refused: [], unpackedBytes: 0 }

/** The files of a ZIP in batches; their paths begin with that of the ZIP. A ZIP that cannot be opened is refused as a whole. */
export async function* walkZip(
  zip: PickedFile,
  {
    makeWorker = startZipWorker,
    signal,
    leftBytes,
  }: { makeWorker?: (() => ZipWorker) | undefined; signal?: AbortSignal | undefined; leftBytes: number },
): AsyncGenerator<ZipBatch> {
  const worker = makeWorker()
  try {
    let asked: ZipToOpen | 'more' = { zip: zip.file, leftBytes }
    for (;;) {
      signal?.throwIfAborted()
      const reply = await ask(worker, asked, signal)
      if (reply.kind === 'end') return
      if (reply.kind === 'document') return yield { ...none, isDocument: true }
      if (reply.kind === 'damaged') {
        return yield {
          ...none,
          refused: [{ path: zip.path, sizeBytes: zip.file.size, reason: { kind: 'zip-damaged' } }],
        }
      }
      const batch: ZipBatch = { files: [], refused: [], unpackedBytes: 0 }
      for (const item of reply.items) {
        const path = `${zip.path}/${item.path}`
        if ('content' in item) {
          batch.files.push({ path, file: fileOf(zip.file, item.path, item.content) })
          batch.unpackedBytes += item.unpackedBytes
        } else batch.refused.push({ path, sizeBytes: item.sizeBytes, reason: item.reason })
      }
      yield batch
      asked = 'more'
    }
  } finally {
    worker.terminate()
  }
}

const fileOf = (zip: File, path: string, content: Blob) =>
  new File([content], path.split('/').at(-1) ?? path, { lastModified: zip.lastModified })

function ask(worker: ZipWorker, asked: ZipToOpen | 'more', signal: AbortSignal | undefined): Promise<ZipReply> {
  const settled = new AbortController()
  const once = { once: true, signal: settled.signal }
  const reply = new Promise<ZipReply>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), once)
    worker.addEventListener('message', (event: MessageEvent<ZipReply>) => resolve(event.data), once)
    // out of memory, or a browser without what unpacking needs
    worker.addEventListener('error', () => resolve({ kind: 'damaged' }), once)
  })
  worker.postMessage(asked)
  return reply.finally(() => settled.abort())
}

function startZipWorker(): ZipWorker {
  return new Worker(new URL('./zip.worker.ts', import.meta.url), { type: 'module' })
}
