import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import { makeOutgoingFile } from '../dicomweb/outgoing-file.command.ts'
import { CannotSendError } from '../altered/cannot-send.ts'
import { changeToMake } from '../altered/correction-to-apply.ts'
import { drawFrames, linesOf } from '../pictures/draw-all-frames.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { lengthOfParts, type Part, streamParts } from '../storage/parts.ts'
import { placeFiles } from './place-files.ts'
import { type DownloadOptions, findForDownload, leftOutLine, zipNameOf } from './plan-download.command.ts'
import type { RecordKey } from '../storage/record-images.sql.ts'
import { findUnwrapped, isWrapping } from '../attachments/unwrapped-file.ts'
import { type StreamedFile, streamZip } from './zip-layout.ts'

type PicturesOptions = DownloadOptions & {
  /** The DICOM file as well of what is made around a document, a video or a picture. */
  isWithWrapped?: boolean
}

/**
 * Every frame of a study as JPEG, documents and videos as they are, in a ZIP that is made while it is sent. Images that
 * cannot be drawn are named with the reason in ERROR.txt.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND | CONFLICT
 */
export async function planPictures(
  services: Services,
  record: RecordKey,
  options: PicturesOptions,
): Promise<{ body: AsyncGenerator<Uint8Array>; filename: string }> {
  const found = await findForDownload(services, record, options)
  const { instances, outgoing, newest } = found
  const change = options.isWithWrapped ? changeToMake(outgoing, record, options) : undefined
  const places = await placeFiles(services, found, options)
  const failures: string[] = []

  async function* files(): AsyncGenerator<StreamedFile> {
    for (const [index, instance] of instances.entries()) {
      const name = (places[index] ?? []).join('/')
      const unwrapped = await findUnwrapped(services, instance).catch((error: unknown) => {
        if (!(error instanceof StorageError) || error.data.reason === 'closed') throw error
        // drawing it tells that it is a video
        return undefined
      })
      if (unwrapped) yield streamed(`${name}.${unwrapped.ending}`, instance, [unwrapped.part])
      else yield* drawn(instance, name)
      if (options.isWithWrapped && isWrapping(instance, unwrapped)) yield* wrapped(instance, `${name}.dcm`)
    }
    if (failures.length > 0) yield { name: 'ERROR.txt', bytes: linesOf(failures), modified: newest }
  }

  async function* drawn(instance: StoredInstance, name: string): AsyncGenerator<StreamedFile> {
    for await (const picture of drawFrames(services, instance, name, { depth: 8 }, failures))
      yield { ...picture, modified: newest }
  }

  async function* wrapped(instance: StoredInstance, name: string): AsyncGenerator<StreamedFile> {
    try {
      const { parts } = await makeOutgoingFile(services, instance, change, 'stored')
      yield streamed(name, instance, parts)
    } catch (error) {
      if (!(error instanceof CannotSendError)) throw error
      failures.push(leftOutLine(name, error))
    }
  }

  return { body: streamZip(files()), filename: zipNameOf(outgoing).replace(/\.zip$/, '_images.zip') }
}

function streamed(name: string, { arrived }: StoredInstance, parts: readonly Part[]): StreamedFile {
  const length = lengthOfParts(parts)
  return { name, modified: arrived, length, body: streamParts(parts, 0, length, { freesChunks: true }) }
}
