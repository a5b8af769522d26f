import { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { leave } from '../../areas/dicomweb/leaving.command.ts'
import { drawAllFrames } from '../../areas/storage/draw-all-frames.ts'
import { drawFrame, explainNoPicture } from '../../areas/storage/draw-frame.command.ts'
import { findPdf } from '../../areas/storage/encapsulated-document.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import { correctionToApply } from '../../areas/storage/correction-to-apply.ts'
import { findLeavingRecord } from '../../areas/storage/leaving-record.sql.ts'
import { streamTar } from '../../areas/storage/tar-stream.ts'
import { findVideo, isPlayable, videoTypeOf } from '../../areas/storage/video-stream.ts'
import type { Services } from '../../services.ts'
import { edgeWish, frameOf, IMAGE, type ImageRoute, openImage, readMethods, sendPicture } from './image-routes.ts'
import { isSet } from './query-flag.ts'
import { sendParts } from './send-parts.ts'
import { untilGone } from './until-gone.ts'
import { wantedForm } from './wanted-form.ts'

/** What an image holds: the file itself, its frames for other programs, a document, a video. */
export function contentRoutes(app: FastifyInstance, services: Services): void {
  app.route<ImageRoute>({
    method: readMethods,
    url: IMAGE,
    handler: async (request, reply) => {
      const { instance, caller, access } = await openImage(services, request)
      const { transfer_syntax: syntax, phi_namespace: phiNamespace, as_received: asReceived } = request.query
      // Whoever names the record sees the file through it, with what people corrected there.
      const leaving =
        phiNamespace && asReceived !== '1'
          ? await findLeavingRecord(services.db, access.record.phi_namespace, access.record.uuid)
          : undefined
      const correction = leaving && correctionToApply(leaving)
      const form = wantedForm(syntax, instance.transfer_syntax)
      const { parts, isCorrected } = await leave(
        inTurnOf(services, caller),
        instance,
        correction,
        form,
        untilGone(reply),
      ).catch(explainNoPicture)
      const corrected = isCorrected ? `-${access.record.uuid}-${access.record.phi_version}` : ''
      return sendParts(request, reply, {
        parts,
        contentType: 'application/dicom',
        etag: `${instance.version}-file-${form}${corrected}`,
        filename: `${instance.sop_uid}.dcm`,
      })
    },
  })

  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/frame/:frame/diagnostic`,
    handler: async (request, reply) => {
      const { instance, caller } = await openImage(services, request)
      const { depth, size } = request.query
      const wish = { depth: depth === '8' ? (8 as const) : (16 as const), ...edgeWish(size, instance) }
      if (request.params.frame === 'all') {
        const frames = drawAllFrames(inTurnOf(services, caller), [{ instance, name: instance.sop_uid }], wish)
        return reply
          .type('application/x-tar')
          .header('content-disposition', `attachment; filename="${instance.sop_uid}.tar"`)
          .send(Readable.from(streamTar(frames, instance.arrived), { objectMode: false }))
      }
      const frame = frameOf(request, instance)
      const etag = `${instance.version}-${frame}-d${wish.depth}-${wish.maxEdge ?? 'full'}`
      return sendPicture(request, reply, etag, () => drawFrame(inTurnOf(services, caller), instance, frame, wish))
    },
  })

  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/frame/:frame/tiff`,
    handler: async (request, reply) => {
      const { instance, caller } = await openImage(services, request)
      const frame = frameOf(request, instance)
      const depth = request.query.depth === '16' ? (16 as const) : (8 as const)
      const wish = { format: 'tiff' as const, depth, ...edgeWish(request.query.size, instance) }
      const etag = `${instance.version}-${frame}-t${depth}-${wish.maxEdge ?? 'full'}`
      return sendPicture(request, reply, etag, () => drawFrame(inTurnOf(services, caller), instance, frame, wish))
    },
  })

  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/pdf`,
    handler: async (request, reply) => {
      const { instance, caller, access } = await openImage(services, request)
      const pdf = await findPdf(services.store, instance)
      if (!pdf) throw new StorageError('NOT_PDF_FILE', undefined, { image_uid: instance.sop_uid })
      await recordAccess(services.db, caller, access, 'REPORT_VIEW')
      return sendParts(request, reply, {
        parts: [pdf],
        contentType: 'application/pdf',
        etag: `${instance.version}-pdf`,
        filename: `${instance.sop_uid}.pdf`,
        isInline: true,
      })
    },
  })

  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/video`,
    handler: async (request, reply) => {
      const { instance, caller } = await openImage(services, request)
      const video = await findVideo(inTurnOf(services, caller), instance).catch(explainNoPicture)
      if (!video) throw new StorageError('NOT_VIDEO_IN_IMAGE', undefined, { image_uid: instance.sop_uid })
      // never a stream that browsers do not play in place of one that they were to play
      if (isSet(request.query.reencode_video) && !(await isPlayable(instance, video))) {
        throw new StorageError(
          'NOT_ACCEPTABLE',
          'This video is no H.264 in MP4, and videos cannot be encoded anew here',
        )
      }
      const { contentType } = videoTypeOf(instance)
      return sendParts(request, reply, { parts: [video], contentType, etag: `${instance.version}-video` })
    },
  })
}
