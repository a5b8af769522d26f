import { type DirectoryFile, writeDicomdir } from '@hilum/dicom/dicomdir'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import type { Services } from '../../services.ts'
import { cannotBeSentSo, makeOutgoingFile, type OutgoingForm } from '../dicomweb/outgoing-file.command.ts'
import { CannotSendError } from '../altered/cannot-send.ts'
import { changeToMake } from '../altered/correction-to-apply.ts'
import { streamParts } from '../storage/parts.ts'
import { linesOf } from '../pictures/draw-all-frames.ts'
import { isNamed, placeFiles } from './place-files.ts'
import {
  directoryFile,
  type DownloadOptions,
  findForDownload,
  leftOutLine,
  zipNameOf,
} from './plan-download.command.ts'
import type { RecordKey } from '../storage/record-images.sql.ts'
import { type StreamedFile, streamZip } from './zip-layout.ts'

/**
 * The DICOM files of a study in another transfer syntax, in a ZIP that is made while it is sent. An image that cannot be
 * brought there leaves as it is stored, and is named with the reason in ERROR.txt; so is one that must not leave.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND | CONFLICT
 */
export async function planConverted(
  services: Services,
  record: RecordKey,
  options: DownloadOptions & { formOf: (stored: string) => OutgoingForm; signal: AbortSignal },
): Promise<{ body: AsyncGenerator<Uint8Array>; filename: string }> {
  const found = await findForDownload(services, record, options)
  const { series, instances, outgoing, newest } = found
  const change = changeToMake(outgoing, record, options)
  const forms = instances.map((instance) => options.formOf(instance.transfer_syntax))
  const ids = await placeFiles(services, found, options)

  async function* files(): AsyncGenerator<StreamedFile> {
    const listed: DirectoryFile[] = []
    const failures: string[] = []
    for (const [index, instance] of instances.entries()) {
      const id = ids[index] ?? []
      const name = `${id.join('/')}${isNamed(options) ? '.dcm' : ''}`
      const sendAs = (form: OutgoingForm, signal?: AbortSignal) =>
        makeOutgoingFile(services, instance, change, form, signal)
      const sent = await sendAs(forms[index] ?? 'stored', options.signal)
        .catch((error: unknown) => {
          if (!cannotBeSentSo(error)) throw error
          const own = transferSyntaxOf(instance.transfer_syntax).name
          failures.push(`${name}: left in ${own}: ${error instanceof Error ? error.message : ''}`)
          return sendAs('stored')
        })
        .catch((error: unknown) => {
          if (!(error instanceof CannotSendError)) throw error
          failures.push(leftOutLine(name, error))
        })
      if (!sent) continue
      const { parts, length, transferSyntax } = sent
      yield { name, length, modified: instance.arrived, body: streamParts(parts, 0, length, { freesChunks: true }) }
      if (isNamed(options)) continue
      const asSent = { ...instance, transfer_syntax: transferSyntax }
      listed.push(directoryFile(record.study_uid, outgoing, series, asSent, id))
    }
    if (failures.length > 0) yield inMemory('ERROR.txt', linesOf(failures))
    if (!isNamed(options)) yield inMemory('DICOMDIR', writeDicomdir(listed, 'HILUM', newUid(services.config.uidRoot)))
  }
  const inMemory = (name: string, bytes: Uint8Array): StreamedFile => ({ name, bytes, modified: newest })

  return { body: streamZip(files()), filename: zipNameOf(outgoing) }
}
