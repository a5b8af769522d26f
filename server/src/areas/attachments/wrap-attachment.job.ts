import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Membership } from '../../access/caller.ts'
import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import type { JobActs } from '../job.ts'
import { declaredJobs, type PayloadOf } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { endWork } from '../job/job.sql.ts'
import { tellEnd, tellProgress, tellPutOff } from '../job/track-job.command.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { wrapAttachment } from './wrap-attachment.command.ts'

type WrapPayload = PayloadOf<'wrapAttachment'>

/** Puts the making of images on the queue. */
export async function wrapAttachmentLater(
  services: Services,
  { accountUuid, namespaceUuid }: Pick<Membership, 'accountUuid' | 'namespaceUuid'>,
  payload: WrapPayload,
): Promise<void> {
  const uuid = randomUUID()
  const { job, userUuid, studyUuid } = payload
  if (job) await tellPutOff(services, job, uuid)
  try {
    await enqueue(services.db, declaredJobs.wrapAttachment, payload, {
      uuid,
      group: `attachments:${namespaceUuid}`,
      about: { userUuid, accountUuid, studyUuid },
    })
  } catch (error) {
    if (job) await tellEnd(services, job, uuid, error)
    throw error
  }
}

/** Makes images of what was attached. A reason that lies in the file or its person is not tried again: the next try would fail alike. */
export const wrapAttachmentActs: JobActs<WrapPayload> = {
  run: async (services, payload, { work }) => {
    const { job } = payload
    try {
      await wrap(services, payload, work)
    } catch (error) {
      if (!(error instanceof StorageError) || error.httpStatus >= 500) throw error
      throw new WorkFailure(error.code, error.message, { isFinal: true, cause: error })
    }
    if (job) await tellEnd(services, job, work)
  },
  giveUp: async (tx, { job }, work, fault) => {
    const progress = job && (await endWork(tx, job, work, fault))
    return progress && (({ jobs }) => jobs.tell(progress))
  },
}

async function wrap(
  services: Services,
  { userUuid, studyUuid, id, version, seriesKey, job }: WrapPayload,
  work: string,
) {
  const record = await findRecordByUuid(services.db, studyUuid)
  if (!record || record.deleted) throw new StorageError('STUDY_NOT_FOUND')
  const membership = await findMembershipOf(services.db, userUuid, record.phi_namespace, services.log)
  if (!membership || !mayDo('uploadStudy', membership)) throw new StorageError('ACCESS_DENIED')
  const tell = async (sent: number, total: number) => {
    if (job) await tellProgress(services, job, work, { sent, total })
  }
  const key = { id, version }
  await wrapAttachment(services, { userUuid }, { record, membership }, key, { seriesKey, tellProgress: tell })
}
