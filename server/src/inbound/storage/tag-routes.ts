import { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { HeaderJsonWish } from '@hilum/dicom/render/header-json'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { describeImage } from '../../areas/storage/describe-image.ts'
import { findDemographics } from '../../areas/storage/demographics.sql.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import { listInstances } from '../../areas/storage/instance.sql.ts'
import { phiFields, presentPhi, presentRecordTags } from '../../areas/storage/phi.presenter.ts'
import { correctionOf } from '../../areas/storage/record-edits.ts'
import { streamTagsOf } from '../../areas/storage/study-json.ts'
import { readTagChoice, type TagChoiceQuery } from '../../areas/storage/tag-choice.ts'
import type { Services } from '../../services.ts'
import { IMAGE, type ImageRoute, openImage } from './image-routes.ts'
import { isSet } from './query-flag.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type JsonRoute = {
  Params: StudyRoute['Params']
  Querystring: StudyRoute['Querystring'] & TagChoiceQuery & { series_uid?: string; all_dicom_values?: string }
}

const STUDY = '/study/:namespace/:studyUid'

/** What studies and images say of themselves, in JSON: with the corrections of the record through which they are seen. */
export function tagRoutes(app: FastifyInstance, services: Services): void {
  app.get<StudyRoute>(`${STUDY}/tag`, async (request, reply) => {
    const { demographics } = await openDemographics(services, request)
    return reply.header('cache-control', 'private, no-cache').send(presentRecordTags(demographics))
  })

  app.get<StudyRoute>(`${STUDY}/phi`, async (request, reply) => {
    const { demographics, access } = await openDemographics(services, request)
    return reply.header('cache-control', 'private, no-cache').send(presentPhi(access.record, demographics))
  })

  app.get<JsonRoute>(`${STUDY}/json`, async (request, reply) => {
    const choice = readTagChoice(request.query)
    const { caller, access } = await openStudyOfRequest(services, request)
    const { namespace, studyUid } = request.params
    const { series_uid, all_dicom_values } = request.query
    const only = series_uid ? { seriesUids: series_uid.split(',') } : {}
    const instances = await listInstances(services.db, namespace, studyUid, only)
    if (series_uid && instances.length === 0) throw new StorageError('SERIES_NOT_FOUND', undefined, { series_uid })
    await recordAccess(services.db, caller, access, 'STUDY_VIEW')
    const edits = await editsOf(services, access)
    const extent = isSet(all_dicom_values) ? 'whole' : 'first'
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'private, no-cache')
      .send(Readable.from(streamTagsOf(inTurnOf(services, caller), instances, edits, { choice, extent })))
  })

  for (const [call, otherwise] of [
    ['json', 'first'],
    ['attribute', 'all'],
  ] as const) {
    app.get<ImageRoute>(`${IMAGE}/${call}`, async (request, reply) => {
      const choice = readTagChoice(request.query)
      const extent = isSet(request.query.all_dicom_values) ? 'whole' : otherwise
      return sendDescription(services, request, reply, (edits) => ({
        kind: 'attributes',
        edits,
        listing: { choice, extent },
      }))
    })
  }

  app.get<ImageRoute>(`${IMAGE}/phi`, (request, reply) =>
    sendDescription(services, request, reply, (edits) => ({ kind: 'fields', edits, fields: phiFields })),
  )
}

async function sendDescription(
  services: Services,
  request: FastifyRequest<ImageRoute>,
  reply: FastifyReply,
  wishWith: (edits: readonly ElementEdit[]) => HeaderJsonWish,
): Promise<FastifyReply> {
  const { instance, caller, access } = await openImage(services, request)
  const json = await describeImage(inTurnOf(services, caller), instance, wishWith(await editsOf(services, access)))
  return reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-cache').send(json)
}

async function openDemographics(services: Services, request: FastifyRequest<StudyRoute>) {
  const { caller, access } = await openStudyOfRequest(services, request)
  const demographics = await findDemographics(services.db, access.record.phi_namespace, access.record.uuid)
  if (!demographics) throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: access.record.study_uid })
  await recordAccess(services.db, caller, access, 'STUDY_VIEW')
  return { access, demographics }
}

async function editsOf(services: Services, { record }: StudyAccess) {
  const found = await findDemographics(services.db, record.phi_namespace, record.uuid)
  return correctionOf(found?.edits ?? [])?.edits ?? []
}
