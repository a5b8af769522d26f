import { Readable } from 'node:stream'
import { mayDo } from '@hilum/contract/acts'
import type { NamesIn, OpenSubject, RequestSubject, Route, RouteMethod, SessionSubject } from '@hilum/contract/route'
import { type QueryOf, readQuery, type RouteParameters } from '@hilum/contract/route-parameters'
import { storageBase } from '@hilum/contract/routes/storage-parameters'
import { StorageError } from '@hilum/contract/storage-errors'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asker, Caller, Membership } from '../access/caller.ts'
import { alsoAsk, openDoor } from '../access/door-of-request.ts'
import { sidOfRequest } from '../access/sid-of-request.ts'
import { authorise, openNamespace, openStudy } from '../access/storage-access.ts'
import type { StudyAccess } from '../access/study-access.ts'
import type { StudyScope } from '../access/study-scope.ts'
import { type AccessDetail, recordAccess } from '../areas/audit/record-access.command.ts'
import { findAnnounced, type OpenRequest } from '../areas/link/link-upload.sql.ts'
import { findUploader } from '../areas/link/uploader.command.ts'
import { findOwnReport } from '../areas/report/find-own-report.ts'
import type { MadeReport } from '../areas/report/report.sql.ts'
import type { Services } from '../services.ts'
import { openDicomwebNamespace, openListed, openShown } from './dicomweb/open-subject.ts'
import { answerBegins, beforeAnswer } from './storage/before-answer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration that a route serves. */
    declared?: Route
  }
}

/** Rows that a handler is given of the subject of its route, by the kind that the route declares. */
interface OpenedSubject {
  caller: { access?: undefined }
  report: { access?: undefined; report: MadeReport }
  namespace: { access?: undefined; place: Membership }
  study: { access: StudyAccess }
  /** With the study of the path, if it has one that is seen. */
  dicomwebScope: { access?: StudyAccess | undefined; scope: StudyScope }
  dicomwebNamespace: { access?: undefined; place: Membership }
  dicomwebStudy: { access: StudyAccess }
}

/** A link reads studies: what changes something, or acts on a whole place, is done by callers alone. */
type AskerOf<On extends SessionSubject, Method extends RouteMethod> = On['kind'] extends
  | 'report'
  | 'caller'
  | 'namespace'
  | 'dicomwebNamespace'
  ? Caller
  : [Method] extends ['POST' | 'DELETE']
    ? Caller
    : Asker

/** A request that was let in. */
export type Opened<
  Path extends string = string,
  Query extends RouteParameters = RouteParameters,
  On extends SessionSubject = SessionSubject,
  Method extends RouteMethod = RouteMethod,
> = {
  request: FastifyRequest
  reply: FastifyReply
  caller: AskerOf<On, Method>
  params: Readonly<Record<NamesIn<Path>, string>>
  /** Read when first asked for, so that what is not there is answered before a value that cannot be read. */
  readonly query: QueryOf<Query>
  /** Goes on record with the access. */
  detail?: AccessDetail
  /** Studies that the handler opened beside the one of the address, which go on record as that one does. */
  further?: readonly StudyAccess[]
} & OpenedSubject[On['kind']]

/**
 * Serves a declared route: finds the caller and whom the address names, decides the act, reads the query, runs the
 * handler, and puts the access on record before the first byte of an answer leaves.
 */
export function route<
  const Path extends string,
  const Query extends RouteParameters,
  const On extends SessionSubject,
  const Method extends RouteMethod,
>(
  app: FastifyInstance,
  services: Services,
  declared: Route<Path, Query, On, Method>,
  handle: (opened: Opened<Path, Query, On, Method>) => Promise<FastifyReply> | FastifyReply,
  options: {
    /** Reads parameters that came in the body into the query, before they say whom the route acts on. */
    takeForm?: (request: FastifyRequest) => Promise<void>
  } = {},
): void {
  app.route({
    method: [...declared.methods],
    url: urlOf(declared),
    config: { declared },
    handler: async (request, reply) => {
      await options.takeForm?.(request)
      const opened = (await open(services, declared, request, reply)) as unknown as Opened<Path, Query, On, Method>
      refuseUnknownParameters(declared, request)
      const { access } = opened
      if (access) beforeAnswer(request, () => putOnRecord(services, declared, opened, access))
      return handle(opened)
    },
    // answers with a body that `sendBody` sends do not come by here
    onSend: async (request, reply, payload) => {
      if (reply.statusCode >= 400) return
      try {
        await answerBegins(request)
      } catch (error) {
        if (payload instanceof Readable) payload.destroy()
        throw error
      }
    },
  })
}

/** Serves a declared route that needs no session. */
export function openRoute(
  app: FastifyInstance,
  declared: Route<string, RouteParameters, OpenSubject>,
  handle: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  app.route({
    method: [...declared.methods],
    url: urlOf(declared),
    config: { declared },
    handler: async (request, reply) => {
      refuseUnknownParameters(declared, request)
      return handle(request, reply)
    },
  })
}

/** A request for studies that its own session opened, with the study that the sender announced. */
interface OpenedBySender {
  request: FastifyRequest
  reply: FastifyReply
  asked: OpenRequest
  studyUid: string
  /** How many images of the study were announced. */
  announced: number
}

/** Serves a declared route that the session of a request opens; it is cut when the request ends. */
export function requestRoute(
  app: FastifyInstance,
  services: Services,
  declared: Route<string, { study_uid: RouteParameters[string] }, RequestSubject>,
  handle: (opened: OpenedBySender) => Promise<FastifyReply>,
): void {
  app.route({
    method: [...declared.methods],
    url: urlOf(declared),
    config: { declared },
    handler: async (request, reply) => {
      const opened = await openAnnounced(services, declared, request)
      refuseUnknownParameters(declared, request)
      return handle({ request, reply, ...opened })
    },
  })
}

/** @throws StorageError ACCESS_DENIED for any other session, BAD_REQUEST for a study that was not announced, CONFLICT beside an approved record */
async function openAnnounced(
  services: Services,
  { query }: Pick<Route, 'query'>,
  request: FastifyRequest,
): Promise<Pick<OpenedBySender, 'asked' | 'studyUid' | 'announced'>> {
  const uploader = await findUploader(services, sidOfRequest(request, { cookieToo: false }), request.ip)
  if (!uploader) throw new StorageError('ACCESS_DENIED')
  openDoor(services.access, request, uploader.asker)
  const studyUid = String(valuesOf(query, request.query as Record<string, unknown>)['study_uid'] ?? '')
  const announced = await findAnnounced(services.db, uploader.request.link_uuid, studyUid)
  if (!announced) throw new StorageError('BAD_REQUEST', 'The study was not announced')
  if (announced.is_closed)
    throw new StorageError('CONFLICT', 'The exam is there already and takes no images by this way. Ask who awaits it.')
  return { asked: uploader.request, studyUid, announced: announced.image_count }
}

/** The storage API is registered below its prefix, and below that of an engine. */
function urlOf({ path }: Pick<Route, 'path'>): string {
  return path.startsWith(storageBase) ? path.slice(storageBase.length) : path
}

async function putOnRecord(
  { db }: Services,
  { audit = [] }: Pick<Route, 'audit'>,
  { request, caller, detail, further = [] }: Pick<Opened, 'request' | 'caller' | 'detail' | 'further'>,
  access: StudyAccess,
): Promise<void> {
  for (const act of audit) {
    // of a download, the head alone gives nothing away
    if (act === 'STUDY_DOWNLOAD' && request.method === 'HEAD') continue
    // a report goes on record with the reading of its file
    if (act === 'LIST_FETCH') continue
    for (const one of [access, ...further]) await recordAccess(db, caller, one, act, detail)
  }
}

/** @throws StorageError ACCESS_DENIED, FORBIDDEN, NOT_FOUND, STUDY_NOT_FOUND; DicomwebError */
async function open(
  services: Services,
  {
    on,
    query: parameters,
    opensToDerived,
  }: Pick<Route<string, RouteParameters, SessionSubject>, 'on' | 'query' | 'opensToDerived'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = await authorise(services, request, opensToDerived ? { opensToDerived } : {}).catch((refusal) => {
    // without a session, too, a report is not there
    throw on.kind === 'report' && refusal instanceof StorageError ? new StorageError('NOT_FOUND') : refusal
  })
  const params = request.params as Record<string, string>
  const sent = request.query as Record<string, unknown>
  let values: QueryOf<RouteParameters> | undefined
  return {
    request,
    reply,
    caller,
    params,
    get query() {
      return (values ??= valuesOf(parameters, sent))
    },
    ...(await openSubject(services, on, caller, params, sent)),
  }
}

/**
 * A client that writes with a parameter that a route has no use for may take its effect for done. Reading routes, and those of
 * DICOMweb (PS3.18 §8.3.4), pass over what they do not know.
 * @throws StorageError BAD_REQUEST naming the first of them
 */
function refuseUnknownParameters({ methods, path, query }: Route, request: FastifyRequest): void {
  const writes = !methods.includes('GET') && path.startsWith(storageBase)
  if (!writes) return
  const unknown = Object.keys(request.query as object).find((name) => name !== 'sid' && !Object.hasOwn(query, name))
  if (unknown !== undefined) throw new StorageError('BAD_REQUEST', `This route has no parameter ${unknown}.`)
}

/** @throws StorageError BAD_REQUEST */
function valuesOf(parameters: RouteParameters, sent: Readonly<Record<string, unknown>>): QueryOf<RouteParameters> {
  const read = readQuery(parameters, sent)
  if ('refusal' in read) throw new StorageError('BAD_REQUEST', read.refusal)
  return read.values
}

async function openSubject(
  services: Services,
  on: SessionSubject,
  caller: Asker,
  params: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, unknown>>,
): Promise<OpenedSubject[SessionSubject['kind']]> {
  const { namespace = '', studyUid = '' } = params
  switch (on.kind) {
    case 'caller': {
      const { may } = on
      const isAllowed = !may || (await caller.memberships()).some((one) => mayDo(may, one))
      if (!isAllowed || caller.kind === 'link' || (may && caller.derivedStudies))
        throw new StorageError('ACCESS_DENIED')
      return {}
    }
    case 'report':
      return { report: await openReport(services, caller, String(sent.report_id ?? '')) }
    case 'namespace': {
      const named = on.in === 'path' ? namespace : String(sent.namespace ?? '')
      return { place: await openNamespace(caller, named, on.may) }
    }
    case 'study': {
      const { phi_namespace: phiNamespace } = sent as { phi_namespace?: string }
      return {
        access: await openStudy(services, caller, { storageNamespace: namespace, studyUid, phiNamespace }, on.may),
      }
    }
    case 'dicomwebScope':
      return openListed(services, caller, params, on.may)
    case 'dicomwebNamespace':
      return { place: await openDicomwebNamespace(caller, namespace, on.may) }
    case 'dicomwebStudy':
      return { access: await openShown(services, caller, params, on.may) }
  }
}

/** @throws StorageError NOT_FOUND for a report that the caller did not have made, may have no more, or that is over */
async function openReport({ db }: Services, caller: Asker, uuid: string): Promise<MadeReport> {
  const own = uuidForm.test(uuid) ? await findOwnReport(db, caller, uuid) : undefined
  if (!own) throw new StorageError('NOT_FOUND')
  alsoAsk(caller, async (fresh) => (await findOwnReport(db, fresh, uuid)) !== undefined)
  return own.report
}
