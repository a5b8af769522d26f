import { mayByProxy } from '@hilum/contract/by-proxy'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { ApiError, commonErrors, type ErrorCode, listErrors } from '@hilum/contract/errors'
import { whyRefused } from '@hilum/contract/public-calls'
import type { Caller } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import { resolveSubject } from '../../access/resolve-subject.ts'
import type { CallRequest, Handler, Origin } from '../../areas/handler.ts'
import { answerOnce, readIdempotencyKey } from '../../areas/session/answer-once.command.ts'
import { noteRefusal } from '../../areas/audit/note-refusal.command.ts'
import { handlers } from '../../areas/handlers.ts'
import { isPlaceGone } from '../../db/place-gone.ts'
import type { Services } from '../../services.ts'
import { readInput } from './read-input.ts'
import { narrowReply } from './narrow-reply.ts'
import { readListQuery } from './read-list-query.ts'
import { refuseUnknownParameters } from './refuse-unknown-parameters.ts'

interface Reply {
  status: number
  body: Record<string, unknown>
}

const byPath = new Map<string, { call: AnyCall; handler: Handler<AnyCall> }>(
  Object.entries(calls).map(([name, call]) => [
    call.path,
    // the table of handlers is checked name by name where it is written; here only the pairing is needed
    { call: call as unknown as AnyCall, handler: handlers[name as keyof typeof calls] as unknown as Handler<AnyCall> },
  ]),
)
/** Only the call that asks how long a session lasts must not make it last longer (design §6). */
const polls = new Set(['session/ttl', 'session/user'])

export function findCall(path: string): AnyCall | undefined {
  return byPath.get(path)?.call
}

/**
 * The one way into a call: for a request and for each item of a bundle. Parse, find the caller, resolve whom it acts
 * on, run. A code that the call does not declare is our fault and becomes a 500.
 */
export async function dispatch(
  services: Services,
  path: string,
  raw: Readonly<Record<string, unknown>>,
  origin: Origin,
): Promise<Reply> {
  const found = byPath.get(path)
  if (!found) return refuseAbsent(path)
  const { call, handler } = found
  let caller: Caller | undefined
  try {
    const sid = sidOf(raw) ?? origin.sid
    const asker =
      call.on.kind !== 'anyone' && sid
        ? await findCaller(services.db, sid, origin.clientAddress, {
            isPoll: polls.has(path),
            log: services.log,
          })
        : undefined
    // a derived session and that of a link only read images: they may stand in an address, so they open no call
    if (call.on.kind !== 'anyone' && (!asker || asker.kind === 'link' || asker.derivedStudies)) {
      const who = asker ?? { clientAddress: origin.clientAddress, sid }
      noteRefusal(services, who, { act: path, names: namesIn(raw), isForbidden: true })
      return { status: 401, body: { status: 'ERROR', error_type: 'UNAUTHORIZED' } }
    }
    caller = asker?.kind === 'link' ? undefined : asker
    // a key acts on what its scope holds; of the person itself it reads, and changes nothing
    if (caller?.kind === 'key' && call.on.kind === 'caller' && !call.reads) throw fail('NOT_PERMITTED')
    if (caller?.proxy && !mayByProxy(call)) throw fail('NOT_PERMITTED', { subtype: 'PROXY' })
    refuseUnknownParameters(call, raw)
    const input = readInput(call, raw)
    const list = call.list ? readListQuery(call.list, raw) : undefined
    const on = caller ? await resolveSubject(services.db, call, caller, input) : undefined
    const request = { services, input, raw, list, caller, on, origin: { ...origin, sid }, fail }
    const act = () => handler(request as unknown as CallRequest<AnyCall>) as Promise<Record<string, unknown>>
    const key = readIdempotencyKey(call, raw)
    const output =
      key && caller ? await answerOnce(services, { key, userUuid: caller.userUuid, call, raw }, act) : await act()
    return { status: 200, body: narrowReply(call, list?.fields, raw, { status: 'OK', ...output }) }
  } catch (error) {
    if (error instanceof ApiError && isDeclared(call, error.code)) {
      if (caller && refusals.has(error.code))
        noteRefusal(services, caller, { act: path, names: namesIn(raw), isForbidden: error.code === 'NOT_PERMITTED' })
      return refuse(error)
    }
    const mistake = mistakeOf(error)
    if (mistake) return refuse(new ApiError(mistake))
    throw error
  }
}

/** A call that is not answered: one of the public API is refused with the reason, any other path is not found. */
export function refuseAbsent(path: string): Reply {
  const why = whyRefused(path)
  if (why) return refuse(new ApiError('NOT_SUPPORTED', { subtype: 'call', data: why }))
  return { status: 404, body: { status: 'ERROR', error_type: 'NOT_FOUND', error_subtype: 'call' } }
}

/** Codes by which what exists, and is not the caller's, is refused. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'NAMESPACE_NOT_FOUND',
  'ROLE_NOT_FOUND',
  'USER_NOT_FOUND',
  'NOT_PERMITTED',
])

function namesIn({ sid: _sid, ...sent }: Readonly<Record<string, unknown>>): unknown[] {
  return Object.values(sent).flat()
}

function fail(code: ErrorCode, detail?: ConstructorParameters<typeof ApiError>[1]): ApiError {
  return new ApiError(code, detail)
}

/** SQLSTATEs by which the database says that what was sent cannot be kept or used. */
const mistakes: Readonly<Record<string, ErrorCode>> = {
  '22021': 'INVALID_FIELD', // a NUL in text
  '22P05': 'INVALID_FIELD', // a NUL inside JSON
  '54000': 'INVALID_FIELD', // a text too long for its index
  '54011': 'INVALID_FIELD', // more things to sort by than a question may have
  '22003': 'INVALID_INTEGER', // a number that its column does not hold
  '2201W': 'INVALID_INTEGER', // a limit below zero
}

function mistakeOf(error: unknown): ErrorCode | undefined {
  if (isPlaceGone(error)) return 'NOT_FOUND'
  return error instanceof Error && 'code' in error ? mistakes[String(error.code)] : undefined
}

function refuse(error: ApiError): Reply {
  const { subtype, data } = error.detail
  return {
    status: 412,
    body: {
      status: 'ERROR',
      error_type: error.code,
      ...(subtype === undefined ? {} : { error_subtype: subtype }),
      ...(data === undefined ? {} : { error_data: data }),
    },
  }
}

/** Codes that reading the input may give to any call. */
const inputErrors: readonly ErrorCode[] = [
  'INVALID_FLAG',
  'INVALID_INTEGER',
  'INVALID_JSON',
  'INVALID_FIELD',
  'NOT_HASH',
  'NOT_LIST',
]

function isDeclared(call: AnyCall, code: ErrorCode): boolean {
  const common: readonly ErrorCode[] = commonErrors
  const list: readonly ErrorCode[] = call.list ? listErrors : []
  if (call.once && code === 'ANSWERED_BEFORE') return true
  return call.errors.includes(code) || common.includes(code) || inputErrors.includes(code) || list.includes(code)
}

/** The session token among what was sent. */
export function sidOf(raw: Readonly<Record<string, unknown>>): string | undefined {
  const sid = Array.isArray(raw.sid) ? raw.sid[0] : raw.sid
  return typeof sid === 'string' && sid ? sid : undefined
}
