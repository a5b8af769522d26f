import type { studyUploadCheck } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { checkAttachments, checkInstances, listElsewhere } from '../ingest/upload-check.sql.ts'

export const uploadCheck: Handler<typeof studyUploadCheck> = async ({ services, input, on }) => ({
  verdicts: await checkInstances(services.db, on.namespaceUuid, input.instances),
  attachment_verdicts: await checkAttachments(services.db, on.namespaceUuid, input.attachments ?? []),
  elsewhere: await listElsewhere(services.db, on.namespaceUuid, input.instances),
})
