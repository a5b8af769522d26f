import { storedImageDelete, storedImagesDelete, storedStudyDelete } from '@hilum/contract/routes/storage-acts'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { askNoMore } from '../../access/door-of-request.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { publicAddress } from '../../areas/mail/public-address.ts'
import { deleteImages } from '../../areas/retention/delete-images.command.ts'
import { deleteStudy } from '../../areas/retention/delete-study.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { readText } from './read-text.ts'
import { type Opened, route } from '../route.ts'

const MAX_LIST_BYTES = 4 * 1024 * 1024

export function deleteRoutes(app: FastifyInstance, services: Services): void {
  const addressOf = ({ host, protocol }: Opened['request']) =>
    publicAddress(services.config, { host, isHttps: protocol === 'https' })
  /** Does it as the job that the request names. */
  const answer = async (
    { request, reply, caller, access, params: { namespace, studyUid } }: OpenedStudy,
    act: () => Promise<unknown>,
  ) => {
    await doAsJob(services, jobOfRequest(request, caller, access.record.phi_namespace), act)
    return reply.code(202).send({ namespace, study_uid: studyUid })
  }

  route(app, services, storedStudyDelete, (opened) => {
    const { request, caller, access, query } = opened
    return answer(opened, () => {
      askNoMore(caller)
      // Attachments hang on the record, so the record stays and only its images go.
      return query.keep_attachments
        ? deleteImages(services, caller, access.record, undefined)
        : deleteStudy(services, caller, access.record, addressOf(request))
    })
  })

  route(app, services, storedImageDelete, (opened) => {
    const { caller, access, params } = opened
    return answer(opened, () => {
      askNoMore(caller)
      return deleteImages(services, caller, access.record, [params.imageUid])
    })
  })

  route(app, services, storedImagesDelete, (opened) => {
    const { request, caller, access } = opened
    return answer(opened, async () => {
      const list = (await readText(request, MAX_LIST_BYTES))
        .replace(/^image_uids=/, '')
        .split(',')
        .map((uid) => uid.trim())
        .filter((uid) => uid !== '')
      if (list.length === 0) throw new StorageError('BAD_REQUEST', 'The list of images is empty')
      askNoMore(caller)
      await deleteImages(services, caller, access.record, list)
    })
  })
}

type OpenedStudy = Pick<Opened, 'request' | 'reply' | 'caller'> & {
  access: StudyAccess
  params: { readonly namespace: string; readonly studyUid: string }
}
