import { imageAttribute, imageJson, imagePhi } from '@hilum/contract/routes/storage-images'
import { studyJson, studyPhi, studyTags } from '@hilum/contract/routes/storage-studies'
import { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { HeaderJsonOptions } from '@hilum/dicom/render/header-json'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import { describeAlteredImage } from '../../areas/altered/describe-image.ts'
import { findDemographics } from '../../areas/altered/demographics.sql.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import { phiFields, presentPhi, presentRecordAttributes } from '../../areas/altered/phi.presenter.ts'
import { correctionOf } from '../../areas/altered/record-edits.ts'
import { listImages } from '../../areas/storage/record-images.sql.ts'
import { streamAttributesOf } from '../../areas/altered/study-json.ts'
import { readAttributeChoice } from '../../areas/altered/attribute-choice.ts'
import type { Services } from '../../services.ts'
import { findOpenedImage } from './image-routes.ts'
import { type Opened, route } from '../route.ts'

/** Attributes of studies and images in JSON, with the corrections of the record through which they are seen. */
export function attributeRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studyTags, async ({ reply, access }) =>
    reply.send(presentRecordAttributes(await getDemographics(services, access))),
  )

  route(app, services, studyPhi, async ({ reply, access }) =>
    reply.send(presentPhi(access.record, await getDemographics(services, access))),
  )

  route(app, services, studyJson, async ({ reply, caller, access, query }) => {
    const choice = readAttributeChoice(query)
    const { series_uid: seriesUids, all_dicom_values } = query
    const only = seriesUids ? { seriesUids } : {}
    const instances = await listImages(services.db, access.record, only)
    if (seriesUids && instances.length === 0) {
      throw new StorageError('SERIES_NOT_FOUND', undefined, { series_uid: seriesUids.join(',') })
    }
    const edits = await editsOf(services, access)
    const listing = { choice, extent: all_dicom_values ? 'whole' : 'first', ...withoutFormer(access) } as const
    return reply
      .type('application/json; charset=utf-8')
      .send(Readable.from(streamAttributesOf(inTurnOf(services, caller), instances, edits, listing)))
  })

  for (const [declared, otherwise] of [
    [imageJson, 'first'],
    [imageAttribute, 'all'],
  ] as const) {
    route(app, services, declared, async (opened) => {
      const choice = readAttributeChoice(opened.query)
      const extent = opened.query.all_dicom_values ? 'whole' : otherwise
      return sendDescription(services, opened, (edits) => ({
        kind: 'attributes',
        edits,
        listing: { choice, extent, ...withoutFormer(opened.access) },
      }))
    })
  }

  route(app, services, imagePhi, (opened) =>
    sendDescription(services, opened, (edits) => ({
      kind: 'fields',
      edits,
      fields: phiFields,
      ...withoutFormer(opened.access),
    })),
  )
}

const withoutFormer = ({ record }: StudyAccess) => ({ withholdsFormer: record.withholds_former })

async function sendDescription(
  services: Services,
  opened: Pick<Opened, 'reply' | 'caller'> & Parameters<typeof findOpenedImage>[1],
  optionsWith: (edits: readonly ElementEdit[]) => HeaderJsonOptions,
): Promise<FastifyReply> {
  const { reply, caller, access } = opened
  const instance = await findOpenedImage(services, opened)
  const json = await describeAlteredImage(
    inTurnOf(services, caller),
    instance,
    optionsWith(await editsOf(services, access)),
  )
  return reply.type('application/json; charset=utf-8').send(json)
}

/** @throws StorageError STUDY_NOT_FOUND */
async function getDemographics(services: Services, { record }: StudyAccess) {
  const demographics = await findDemographics(services.db, record.phi_namespace, record.uuid)
  if (!demographics) throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: record.study_uid })
  return demographics
}

async function editsOf(services: Services, { record }: StudyAccess) {
  const found = await findDemographics(services.db, record.phi_namespace, record.uuid)
  return (found && correctionOf(found)?.edits) ?? []
}
