import { imageDiagnostic, imageFile, imagePdf, imageTiff, imageVideo } from '@hilum/contract/routes/storage-images'
import { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { makeOutgoingFile } from '../../areas/dicomweb/outgoing-file.command.ts'
import { drawAllFrames } from '../../areas/pictures/draw-all-frames.ts'
import { drawFrame, keyOfOptions, explainNoPicture } from '../../areas/pictures/draw-frame.command.ts'
import { findPdf } from '../../areas/attachments/encapsulated-document.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import {
  correctionFor,
  correctionToApply,
  noLinkAsReceived,
  stateOfCorrection,
} from '../../areas/altered/correction-to-apply.ts'
import { findOutgoingRecord } from '../../areas/altered/outgoing-record.sql.ts'
import { streamTar } from '../../areas/archive/tar-stream.ts'
import { findVideo, isPlayable, videoTypeOf } from '../../areas/pictures/video-stream.ts'
import type { Services } from '../../services.ts'
import { findOpenedImage, frameOf, overlayOptions, sendPicture, sizeOptions } from './image-routes.ts'
import { route } from '../route.ts'
import { contentDisposition, sendParts } from './send-parts.ts'
import { untilGone } from './until-gone.ts'
import { wantedForm } from './wanted-form.ts'

/** The content of an image: the file itself, its frames for other programs, a document, a video. */
export function contentRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, imageFile, async (opened) => {
    const { request, reply, caller, access, query } = opened
    const { record } = access
    const instance = await findOpenedImage(services, opened)
    const { transfer_syntax: syntax, as_received: asReceived } = query
    if (asReceived && record.withholds_former) throw new StorageError('FORBIDDEN', noLinkAsReceived)
    // a file is seen through a record, named or the caller's own, with the corrections made there
    const outgoing = asReceived ? undefined : await findOutgoingRecord(services.db, record.phi_namespace, record.uuid)
    const correction = correctionFor(record, outgoing && correctionToApply(outgoing))
    const form = wantedForm(syntax, instance.transfer_syntax)
    const { parts, isCorrected } = await makeOutgoingFile(
      inTurnOf(services, caller),
      instance,
      correction,
      form,
      untilGone(reply),
    ).catch(explainNoPicture)
    const corrected = isCorrected ? `-${record.uuid}-${stateOfCorrection(record)}` : ''
    return sendParts(request, reply, {
      parts,
      contentType: 'application/dicom',
      etag: `${instance.version}-file-${form}${corrected}`,
      filename: `${instance.sop_uid}.dcm`,
    })
  })

  route(app, services, imageDiagnostic, async (opened) => {
    const { reply, caller, params } = opened
    const instance = await findOpenedImage(services, opened)
    const { depth, size, overlays } = opened.query
    const options = {
      depth,
      ...sizeOptions(size),
      ...overlayOptions(overlays),
    }
    if (params.frame === 'all') {
      const frames = drawAllFrames(inTurnOf(services, caller), [{ instance, name: instance.sop_uid }], options)
      return reply
        .type('application/x-tar')
        .header('content-disposition', contentDisposition(`${instance.sop_uid}.tar`, false))
        .send(Readable.from(streamTar(frames, instance.arrived), { objectMode: false }))
    }
    const frame = frameOf(opened, instance)
    const etag = `${instance.version}-${frame}-d-${keyOfOptions(options)}`
    return sendPicture(opened, etag, () => drawFrame(inTurnOf(services, caller), instance, frame, options))
  })

  route(app, services, imageTiff, async (opened) => {
    const instance = await findOpenedImage(services, opened)
    const frame = frameOf(opened, instance)
    const { depth, size, overlays } = opened.query
    const options = { format: 'tiff' as const, depth, ...sizeOptions(size), ...overlayOptions(overlays) }
    const etag = `${instance.version}-${frame}-${keyOfOptions(options)}`
    return sendPicture(opened, etag, () => drawFrame(inTurnOf(services, opened.caller), instance, frame, options))
  })

  route(app, services, imagePdf, async (opened) => {
    const { request, reply } = opened
    const instance = await findOpenedImage(services, opened)
    const pdf = await findPdf(services.store, instance)
    if (!pdf) throw new StorageError('NOT_PDF_FILE', undefined, { image_uid: instance.sop_uid })
    return sendParts(request, reply, {
      parts: [pdf],
      contentType: 'application/pdf',
      etag: `${instance.version}-pdf`,
      // readers of browsers run the scripts in it; our page draws its pages
      filename: `${instance.sop_uid}.pdf`,
    })
  })

  route(app, services, imageVideo, async (opened) => {
    const { request, reply, caller, query } = opened
    const instance = await findOpenedImage(services, opened)
    const video = await findVideo(inTurnOf(services, caller), instance).catch(explainNoPicture)
    if (!video) throw new StorageError('NOT_VIDEO_IN_IMAGE', undefined, { image_uid: instance.sop_uid })
    // never a stream that browsers do not play in place of one that they were to play
    if (query.reencode_video && !(await isPlayable(instance, video))) {
      throw new StorageError('NOT_ACCEPTABLE', 'This video is no H.264 in MP4, and videos cannot be encoded anew here')
    }
    const { contentType } = videoTypeOf(instance)
    return sendParts(request, reply, {
      parts: [video],
      contentType,
      etag: `${instance.version}-video`,
      isPixels: true,
    })
  })
}
