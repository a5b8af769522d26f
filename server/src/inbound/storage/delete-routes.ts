import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { deleteImages } from '../../areas/storage/delete-images.command.ts'
import { deleteStudy } from '../../areas/storage/delete-study.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { isSet } from './query-flag.ts'
import { readText } from './read-text.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type DeleteRoute = {
  Params: StudyRoute['Params'] & { imageUid?: string }
  Querystring: StudyRoute['Querystring'] & { keep_attachments?: string }
}

const STUDY = '/study/:namespace/:studyUid'
const MAX_LIST_BYTES = 4 * 1024 * 1024

export function deleteRoutes(app: FastifyInstance, services: Services): void {
  const asJob = (
    request: unknown,
    { caller, access }: { caller: Caller; access: StudyAccess },
    act: () => Promise<unknown>,
  ) => doAsJob(services, jobOfRequest(request as FastifyRequest, caller, access.record.phi_namespace), act)

  app.delete<DeleteRoute>(STUDY, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_delete'])
    const { namespace, studyUid } = request.params
    const { keep_attachments: keeps } = request.query
    await asJob(request, { caller, access }, () =>
      isSet(keeps)
        ? // What is attached hangs on the record, so the record stays and only its images go.
          deleteImages(services, caller, access.record, namespace, undefined)
        : deleteStudy(services, caller, access.record),
    )
    return reply.code(202).send({ namespace, study_uid: studyUid })
  })

  app.delete<DeleteRoute>(`${STUDY}/image/:imageUid`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_delete_image'])
    const { namespace, studyUid, imageUid = '' } = request.params
    await asJob(request, { caller, access }, () => deleteImages(services, caller, access.record, namespace, [imageUid]))
    return reply.code(202).send({ namespace, study_uid: studyUid })
  })

  app.delete<DeleteRoute>(`${STUDY}/images`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_delete_image'])
    const { namespace, studyUid } = request.params
    await asJob(request, { caller, access }, async () => {
      const list = (await readText(request, MAX_LIST_BYTES))
        .replace(/^image_uids=/, '')
        .split(',')
        .map((uid) => uid.trim())
        .filter((uid) => uid !== '')
      if (list.length === 0) throw new StorageError('BAD_REQUEST', 'The list of images is empty')
      await deleteImages(services, caller, access.record, namespace, list)
    })
    return reply.code(202).send({ namespace, study_uid: studyUid })
  })
}
