import { parseBoundedJson } from '@hilum/contract/bounded-json'
import { studyHold, studyHoldEnd, studyOnePatient } from '@hilum/contract/routes/storage-acts'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endHold, holdStudy, overruleMixedPatients } from '../../areas/retention/hold-study.command.ts'
import type { Services } from '../../services.ts'
import { readText, withoutNull } from './read-text.ts'
import { route } from '../route.ts'

const MAX_BODY_BYTES = 16 * 1024
const MAX_REASON_CHARS = 1000

/** Calls of our own, each with a reason that goes on record: a legal hold, and patients that are one after all. */
export function holdRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studyHold, async ({ request, reply, caller, access: { record } }) => {
    const isHeld = await holdStudy(services, caller, record, await reasonOf(request))
    if (!isHeld) throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: record.study_uid })
    return reply.code(202).send({ study_uid: record.study_uid, hold: 1 })
  })

  route(app, services, studyHoldEnd, async ({ request, reply, caller, access: { record } }) => {
    // without a hold the answer is true already, and nothing goes on record
    await endHold(services, caller, record, await reasonOf(request))
    return reply.code(202).send({ study_uid: record.study_uid, hold: 0 })
  })

  route(app, services, studyOnePatient, async ({ request, reply, caller, access: { record } }) => {
    await overruleMixedPatients(services, caller, record, await reasonOf(request))
    return reply.code(202).send({ study_uid: record.study_uid })
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
    const { reason } = parseBoundedJson(text) as { reason?: unknown }
    return typeof reason === 'string' ? reason : ''
  } catch (error) {
    throw new StorageError('JSON_DESERIALIZE_EXCEPTION', undefined, {}, { cause: error })
  }
}
