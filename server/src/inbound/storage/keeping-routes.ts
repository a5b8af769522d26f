import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endHold, holdStudy, overruleMixedPatients } from '../../areas/storage/keeping.command.ts'
import type { Services } from '../../services.ts'
import { readText, withoutNull } from './read-text.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

const STUDY = '/study/:namespace/:studyUid'
const MAX_BODY_BYTES = 16 * 1024
const MAX_REASON_CHARS = 1000

/** Calls of our own, each with a reason that goes on record: a legal hold, and patients that are one after all. */
export function keepingRoutes(app: FastifyInstance, services: Services): void {
  app.post<StudyRoute>(`${STUDY}/hold`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['purge_edit'])
    await holdStudy(services, caller, access.record, await reasonOf(request))
    return reply.code(202).send({ study_uid: access.record.study_uid, hold: 1 })
  })

  app.delete<StudyRoute>(`${STUDY}/hold`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['purge_edit'])
    await endHold(services, caller, access.record, await reasonOf(request))
    return reply.code(202).send({ study_uid: access.record.study_uid, hold: 0 })
  })

  app.post<StudyRoute>(`${STUDY}/one_patient`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_edit'])
    await overruleMixedPatients(services, caller, access.record, await reasonOf(request))
    return reply.code(202).send({ study_uid: access.record.study_uid })
  })
}

/** The reason, in the body as JSON or form. @throws StorageError VALIDATION_ERROR without one */
async function reasonOf(request: FastifyRequest): Promise<string> {
  const text = await readText(request, MAX_BODY_BYTES)
  const reason = (
    text.trimStart().startsWith('{') ? fromJson(text) : (new URLSearchParams(text).get('reason') ?? '')
  ).trim()
  if (reason === '' || reason.length > MAX_REASON_CHARS) {
    throw new StorageError('VALIDATION_ERROR', `A reason of 1 to ${MAX_REASON_CHARS} characters is needed`)
  }
  return withoutNull(reason)
}

function fromJson(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown }
    return typeof reason === 'string' ? reason : ''
  } catch (error) {
    throw new StorageError('JSON_DESERIALIZE_EXCEPTION', undefined, {}, { cause: error })
  }
}
