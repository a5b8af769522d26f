import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyRequest } from 'fastify'
import { MAX_WRAPPED_BYTES } from '../../areas/attachments/wrap-file.command.ts'
import { scanned } from '../../areas/ingest/scan-body.ts'
import { stageFile } from '../../areas/ingest/upload-parts.ts'
import type { StagedFile } from '../../outbound/storage/upload-store.ts'
import type { Services } from '../../services.ts'
import { readMultipartForm, textOfPart } from './multipart-form.ts'
import { bodyOf } from './request-body.ts'

const MAX_TAGS_BYTES = 1024 * 1024

/** A file to be wrapped as it came in a form, with the values that stood beside it. */
interface WrapForm {
  staged: StagedFile
  name: string
  /** JSON of the form's values, where the form had any. */
  tags: string | undefined
}

/**
 * Reads the form of a file to be wrapped, and lets `take` have it; the staged file is gone afterwards.
 * @throws StorageError for a form without a file, or a file that is not as long as `X-File-Size` says
 */
export async function withWrapForm<Result>(
  services: Services,
  request: FastifyRequest,
  take: (form: WrapForm) => Promise<Result>,
): Promise<Result> {
  const size = fileSizeOf(request)
  if (size === undefined) throw new StorageError('VALIDATION_ERROR', 'The header X-File-Size is missing')
  if (size > MAX_WRAPPED_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
  const { staged, tags, name } = await readForm(services, request)
  if (!staged) throw new StorageError('NOT_FOUND', 'The form has no part named file')
  try {
    if (staged.length !== size) {
      throw new StorageError('VALIDATION_ERROR', 'The file is not as long as X-File-Size says')
    }
    return await take({ staged, tags, name })
  } finally {
    await staged.discard()
  }
}

/** The file and the values of a form, in whatever order they come. */
async function readForm(services: Services, request: FastifyRequest) {
  let staged: StagedFile | undefined
  let tags: string | undefined
  let name = ''
  try {
    for await (const part of readMultipartForm(request.headers['content-type'], bodyOf(request))) {
      if (part.name === 'tags') tags = await textOfPart(part, MAX_TAGS_BYTES)
      if (part.name !== 'file' || staged) continue
      name = part.filename ?? ''
      staged = await stageFile(services, scanned(services, part.body), MAX_WRAPPED_BYTES)
    }
    return { staged, tags, name }
  } catch (error) {
    await staged?.discard()
    throw error
  }
}

/** @throws StorageError VALIDATION_ERROR when it is no number */
export function fileSizeOf(request: FastifyRequest): number | undefined {
  const header = request.headers['x-file-size']
  if (header === undefined) return undefined
  const size = Number(header)
  if (!/^\d{1,15}$/.test(String(header)) || !Number.isSafeInteger(size)) {
    throw new StorageError('VALIDATION_ERROR', 'The header X-File-Size must be a number')
  }
  return size
}
