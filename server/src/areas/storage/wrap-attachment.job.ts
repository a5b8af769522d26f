import { StorageError } from '@hilum/contract/storage-errors'
import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import type { Job } from '../job.ts'
import { tellEnd, tellProgress } from '../job/track-job.command.ts'
import { wrapAttachment, wrapAttachmentQueue, type WrapPayload } from './wrap-attachment.command.ts'

/** Makes images of what was attached. A failure is told to who asked and not tried again: the next try would fail alike. */
export const wrapAttachmentJob: Job<WrapPayload> = {
  name: wrapAttachmentQueue,
  retries: 2, // for runs whose process ended
  expireSeconds: 900,
  run: async (services, payload) => {
    const { job, work } = payload
    try {
      await wrap(services, payload)
      if (job) await tellEnd(services, job, work)
    } catch (error) {
      if (!(error instanceof StorageError) || error.httpStatus === 500) {
        services.log.error({ event: 'attachment not made images of', err: error })
      }
      if (job) await tellEnd(services, job, work, error)
    }
  },
}

async function wrap(services: Services, { userUuid, studyUuid, id, version, seriesKey, job, work }: WrapPayload) {
  const record = await findRecordByUuid(services.db, studyUuid)
  if (!record || record.deleted) throw new StorageError('STUDY_NOT_FOUND')
  const membership = await findMembershipOf(services.db, userUuid, record.phi_namespace, services.log)
  if (!membership?.permissions.has('study_upload')) throw new StorageError('ACCESS_DENIED')
  const tell = async (sent: number, total: number) => {
    if (job) await tellProgress(services, job, work, { sent, total })
  }
  const key = { id, version }
  await wrapAttachment(services, { userUuid }, { record, membership }, key, { seriesKey, tellProgress: tell })
}
