import { retrieveFrames } from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFrames } from '../../areas/dicomweb/read-frames.command.ts'
import { freeBytes } from '../../outbound/storage/free-bytes.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import type { StoredInstance } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { sendParts } from '../storage/send-parts.ts'
import { rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { chooseFrameForm, describeForms, type FrameForm, isMultipart } from './choose-form.ts'
import { type PartOut, sendMultipart } from './multipart.ts'
import { findInstance } from './find-instances.ts'
import { route } from '../route.ts'
import { sendRendered, sendThumbnail } from './rendered-routes.ts'

const maxFramesPerRequest = 1000

/**
 * Frames as they are or decoded, and pictures of them. The list of frames is a wildcard, because it may be longer than
 * the router lets a parameter be. Source: PS3.18 §10.4.1.1.6.
 */
export function frameRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, retrieveFrames, async (opened) => {
    const { request, reply, caller, params } = opened
    const instance = await findInstance(services, opened)
    const own = inTurnOf(services, caller)
    const [list = '', picture, ...rest] = params['*'].split('/')
    if (rest.length > 0 || !['rendered', 'thumbnail', undefined].includes(picture))
      throw new DicomwebError(404, 'There is nothing at this address')
    const numbers = readFrameNumbers(list, instance.frames)
    if (picture === 'thumbnail') return sendThumbnail(own, opened, instance, numbers[0])
    if (picture === 'rendered') return sendRendered(own, opened, instance, numbers)
    return sendFrames(own, request, reply, instance, numbers)
  })
}

/** Frames in the form that the client asks for. @throws DicomwebError 406 */
export async function sendFrames(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  instance: StoredInstance,
  numbers: readonly number[] | 'all',
): Promise<FastifyReply> {
  const ranges = rangesOf(request)
  const count = numbers === 'all' ? instance.frames : numbers.length
  const usable = count === 1 ? ranges : ranges.filter((range) => isMultipart(range) || range.media === '*/*')
  const chosen = chooseFrameForm(usable, instance.transfer_syntax)
  if (!chosen) {
    throw new DicomwebError(
      406,
      `Frames of this instance come as multipart/related of ${describeForms(instance.transfer_syntax)}`,
    )
  }
  const frames = readFrames(services, instance, numbers, chosen.form)
  const isBare = !isMultipart(chosen.range) && chosen.range.media !== '*/*'
  if (!isBare) return sendMultipart(request, reply, chosen.mediaType, partsOf(frames, chosen))
  const { value: bytes } = await frames.next()
  await frames.return(undefined)
  return sendParts(request, reply, {
    parts: [{ kind: 'bytes', bytes: bytes ?? new Uint8Array(0) }],
    contentType: contentTypeOf(chosen),
    etag: `${instance.version}-${numbers === 'all' ? 1 : numbers[0]}-${chosen.transferSyntax}`,
    isPixels: true,
  })
}

async function* partsOf(frames: AsyncGenerator<Uint8Array>, chosen: FrameForm): AsyncGenerator<PartOut> {
  for await (const bytes of frames) {
    yield { contentType: contentTypeOf(chosen), length: bytes.length, body: [bytes] }
    freeBytes([bytes])
  }
}

function contentTypeOf({ mediaType, transferSyntax }: FrameForm): string {
  return `${mediaType}; transfer-syntax=${transferSyntax}`
}

/** `1`, or a list `1,2,5`; frames count from 1. */
function readFrameNumbers(text: string, frames: number): number[] {
  const numbers = text.split(',').map((one) => (/^\d{1,9}$/.test(one.trim()) ? Number(one) : 0))
  if (numbers.length > maxFramesPerRequest)
    throw new DicomwebError(400, `At most ${maxFramesPerRequest} frames at once`)
  if (numbers.some((number) => number < 1))
    throw new DicomwebError(400, 'Frames are numbers from 1, separated by commas')
  if (numbers.some((number) => number > frames))
    throw new DicomwebError(404, `The instance has ${frames} ${frames === 1 ? 'frame' : 'frames'}`)
  return numbers
}
