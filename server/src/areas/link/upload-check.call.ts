import { type linkUploadCheck, maxLinkChecked } from '@hilum/contract/calls/link-upload'
import type { Handler } from '../handler.ts'
import { haveImages } from './link-upload.sql.ts'
import { findUploader } from './uploader.command.ts'

export const check: Handler<typeof linkUploadCheck> = async ({ services, input, origin, fail }) => {
  const uploader = await findUploader(services, origin.sid, origin.clientAddress)
  if (!uploader) throw fail('EXPIRED')
  if (input.images.length > maxLinkChecked) throw fail('INVALID_FIELD', { subtype: 'images' })
  const have = await haveImages(services.db, uploader.request, input.images)
  return { verdicts: have.map((has) => (has ? 'have' : 'missing')) }
}
