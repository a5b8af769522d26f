import type { studyUploadRetracted } from '@hilum/contract/calls/study-retract'
import type { Handler } from '../handler.ts'
import { listRetracted } from './retraction.sql.ts'

export const uploadRetracted: Handler<typeof studyUploadRetracted> = async ({ services, input, on }) => ({
  studies: await listRetracted(services.db, on.namespaceUuid, input.study_uids),
})
