import type { Correction } from '@hilum/dicom/node/correct-file'
import { isEncoding } from '@hilum/dicom/render/encodings'
import { retrieveInstance, retrieveSeries, retrieveStudy } from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  cannotBeSentSo,
  type OutgoingForm,
  listUncorrectable,
  makeOutgoingFile,
} from '../../areas/dicomweb/outgoing-file.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import type { CannotSendError } from '../../areas/altered/cannot-send.ts'
import type { StoredInstance } from '../../areas/storage/instance.sql.ts'
import { findOutgoingRecord } from '../../areas/altered/outgoing-record.sql.ts'
import { streamParts } from '../../areas/storage/parts.ts'
import { correctionFor, noLinkAsReceived, stateOfCorrection } from '../../areas/altered/correction-to-apply.ts'
import { correctionOf } from '../../areas/altered/record-edits.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import { sendParts } from '../storage/send-parts.ts'
import { untilGone } from '../storage/until-gone.ts'
import { covers, type MediaRange, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { chooseInstanceForm, isMultipart } from './choose-form.ts'
import { type PartOut, sendMultipart } from './multipart.ts'
import { findInstances } from './find-instances.ts'
import { type Opened, route } from '../route.ts'
import { originOf } from './origin.ts'

/** An opened study, series or instance; what is asked for and how is the same. */
type Retrieving = Pick<
  Opened<string, typeof retrieveStudy.query, typeof retrieveStudy.on, 'GET' | 'HEAD'>,
  'request' | 'reply' | 'caller' | 'access' | 'query'
> & { params: { readonly series?: string; readonly instance?: string } }

type Outgoing = { instance: StoredInstance; form: OutgoingForm }

/** WADO-RS of whole instances: a study, a series or one instance. Source: PS3.18 §10.4.1.1.1. */
export function retrieveRoutes(app: FastifyInstance, services: Services): void {
  const give = async (opened: Retrieving) => {
    const { request, reply, caller, access, query } = opened
    const isByLink = access.record.withholds_former
    if (query.as_received && isByLink) throw new DicomwebError(403, noLinkAsReceived)
    const instances = await findInstances(services, opened)
    const correction = query.as_received ? undefined : await findCorrection(services, access)
    return sendInstances(inTurnOf(services, caller), request, reply, access, instances, correction)
  }
  for (const declared of [retrieveStudy, retrieveSeries]) route(app, services, declared, give)
  route(app, services, retrieveInstance, give)
}

async function findCorrection(services: Services, { record }: StudyAccess): Promise<Correction | undefined> {
  const outgoing = await findOutgoingRecord(services.db, record.phi_namespace, record.uuid)
  const correction = outgoing && correctionOf({ ...outgoing, mixed_patients: false })
  if (correction && outgoing.mixed_patients) {
    const why = 'The images name more than one patient, so corrections cannot be applied to all of them'
    const otherwise = record.withholds_former ? '' : '; as_received=1 gives them as they came'
    throw new DicomwebError(409, `${why}${otherwise}`)
  }
  return correctionFor(record, correction)
}

async function sendInstances(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  access: StudyAccess,
  instances: readonly StoredInstance[],
  correction: Correction | undefined,
): Promise<FastifyReply> {
  const ranges = rangesOf(request)
  const signal = untilGone(reply)
  // once the answer has begun, no reason can be given
  const failures = correction ? await listUncorrectable(services, instances, correction) : []
  const [failure] = failures
  // whoever may have the images as they came asks for them; nobody who opened a link loses the others for one
  if (failure && (failure.isOpenAsReceived || failures.length === instances.length)) throw failure
  const leftOut = new Set(failures.map(({ sopUid }) => sopUid))
  if (failure) reply.code(206).header('warning', warningOf(failures, instances.length))
  const outgoing = instances
    .filter(({ sop_uid }) => !leftOut.has(sop_uid))
    .map((instance) => ({ instance, form: formOf(ranges, instance, instances.length) }))
  const [only] = outgoing
  if (only && instances.length === 1 && isSingleWanted(ranges, only.instance)) {
    const { instance, form } = only
    const { parts, transferSyntax } = await makeOutgoingFile(services, instance, correction, form, signal)
    const state = correction ? `-${stateOfCorrection(access.record)}` : ''
    return sendParts(request, reply, {
      parts,
      contentType: `application/dicom; transfer-syntax=${transferSyntax}`,
      etag: `${instance.version}-${transferSyntax}${state}`,
      filename: `${instance.sop_uid}.dcm`,
    })
  }
  const { record } = access
  const address = `${originOf(request)}/dicomweb/${record.phi_namespace}/studies/${record.study_uid}`
  return sendMultipart(request, reply, 'application/dicom', partsOf(services, outgoing, correction, address, signal))
}

/** Images that one warning names: the header of an answer has no room for a thousand. */
const mostNamed = 5

/** Says which images are left out of an answer, and why. */
function warningOf(failures: readonly CannotSendError[], count: number): string {
  const named = failures.slice(0, mostNamed).map(({ sopUid, message }) => `${sopUid}: ${message}`)
  const more = failures.length > mostNamed ? `; and ${failures.length - mostNamed} more` : ''
  const text = `${failures.length} of ${count} images are left out, since nobody can tell whom they name: ${named.join('; ')}${more}`
  return `299 hilum "${text.replaceAll(/[^\x20-\x7e]|["\\]/g, '?')}"`
}

/** @throws DicomwebError 406 */
function formOf(ranges: readonly MediaRange[], instance: StoredInstance, count: number): OutgoingForm {
  // several instances need an answer in parts, which a bare media type does not take
  const usable = count === 1 ? ranges : ranges.filter((range) => isMultipart(range) || range.media === '*/*')
  const form = chooseInstanceForm(usable, instance.transfer_syntax)
  if (form) return form
  throw new DicomwebError(
    406,
    `Instances come as multipart/related; type="application/dicom" in the transfer syntax they are stored in (transfer-syntax=*; here ${instance.transfer_syntax}) or in 1.2.840.10008.1.2.1, and without losses in 1.2.840.10008.1.2.4.80 or 1.2.840.10008.1.2.4.201`,
  )
}

/** One instance comes bare when the range that is met asks for it so. */
function isSingleWanted(ranges: readonly MediaRange[], instance: StoredInstance): boolean {
  const met = ranges.find((range) => chooseInstanceForm([range], instance.transfer_syntax) !== undefined)
  return met !== undefined && !isMultipart(met) && met.media !== '*/*' && covers(met.media, 'application/dicom')
}

async function* partsOf(
  services: Services,
  outgoing: readonly Outgoing[],
  correction: Correction | undefined,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<PartOut> {
  for (const { instance, form } of outgoing) {
    const { parts, length, transferSyntax } = await makeOutgoingFile(
      services,
      instance,
      correction,
      form,
      signal,
    ).catch((error) => {
      // A report among images has no pixels to compress: the answer has begun, and each part names its own syntax.
      if (outgoing.length === 1 || !isEncoding(form) || !cannotBeSentSo(error)) throw error
      return makeOutgoingFile(services, instance, correction, 'preferExplicit')
    })
    yield {
      contentType: `application/dicom; transfer-syntax=${transferSyntax}`,
      location: `${address}/series/${instance.series_uid}/instances/${instance.sop_uid}`,
      length,
      body: streamParts(parts, 0, length, { freesChunks: true }),
    }
  }
}
