import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOfCall, type AnyCall, type InputOf, type OutputOf, type SentOf } from '@hilum/contract/call'
import { readCallInput } from '@hilum/contract/call-input'
import { errors, type ErrorCode } from '@hilum/contract/errors'
import { ApiFailure } from './api-failure.ts'
import { isLoginPage, isMarkup } from './is-login-page.ts'
import { noteOutcome, withKey } from './once-keys.ts'
import { getSid, renewSid, reportRefused } from './credentials.ts'
import { zoneOf } from './list-zone.ts'
import { withinWait } from './within-wait.ts'

/** Filters, sort, pages and fields of a list (`filter.patient_name.like`, `page.rows`, `sort_by` …). */
export type ListParameters = Readonly<Record<string, string | number | readonly string[] | undefined>>

/** A call's parameters: required and optional as the wire has it, with the values' read types. */
export type Parameters<C extends AnyCall> = {
  [Key in keyof SentOf<C>]: Key extends keyof InputOf<C> ? InputOf<C>[Key] : unknown
}

interface CallOptions {
  signal?: AbortSignal
  /** Of a list: what to look for, in which order, which page. */
  list?: ListParameters
  /** Speaks for this session instead of the one in force: while a sign-in is being made. */
  sid?: string
  /** Sent although the page is being left. */
  isUnloading?: boolean
}

/**
 * Calls the API once: a JSON POST, so that no name ever stands in an address. Values that the call's own schema refuses
 * fail as the server would refuse them, and are not sent: every form is checked by the schema of its call.
 * @throws ApiFailure on anything but success; AbortError when `signal` fires
 */
export async function callApi<C extends AnyCall>(
  call: C,
  parameters: Parameters<C>,
  options: CallOptions = {},
): Promise<OutputOf<C>> {
  assertInput(call, parameters)
  const named = { ...parameters, ...options.list }
  const sent = { ...named, ...zoneOf(named) }
  const act = JSON.stringify(sent)
  const body = await untilAnswered(call, act, () =>
    postJson(addressOfCall(call), withKey(call, act, sent), options, call.on.kind === 'anyone'),
  )
  return body as OutputOf<C> // the server makes its replies from the same declaration
}

async function untilAnswered<Answer>(call: AnyCall, act: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await ask()
    noteOutcome(call, act)
    return answer
  } catch (failure) {
    noteOutcome(call, act, failure)
    throw failure
  }
}

/** @throws ApiFailure with the code and the fields of the server's refusal */
function assertInput(call: AnyCall, parameters: Readonly<Record<string, unknown>>): void {
  const read = readCallInput(call, parameters)
  // ids are the program's, not the person's: the server knows whether they lead anywhere
  if ('fault' in read && read.fault.code !== 'NOT_FOUND')
    throw new ApiFailure(read.fault.code, { status: 412, subtype: read.fault.subtype })
}

/**
 * Posts JSON to an address of the API for the session in force.
 * @throws ApiFailure on anything but success; AbortError when `signal` fires
 */
export async function postJson(
  address: string,
  sent: unknown,
  options: Pick<CallOptions, 'signal' | 'sid' | 'isUnloading'>,
  isForAnyone = false,
): Promise<unknown> {
  const renewing = options.sid || isForAnyone ? undefined : renewSid()
  if (renewing) await renewing
  const sid = options.sid ?? getSid()
  if (!sid && !isForAnyone) throw new ApiFailure('SID_NOT_FOUND', { message: 'SID not found in session' })
  const headers = { 'content-type': 'application/json', ...clientHeaders(sid) }
  const reply = await send(
    address,
    {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
      credentials: 'same-origin',
      keepalive: options.isUnloading ?? false,
      signal: withinWait(options.signal),
    },
    options.signal,
  )
  const body = await readBody(reply, options.signal)
  if (typeof body === 'string' && isLoginPage(reply.status, body)) throw new ApiFailure('ERR_NETWORK')
  if (reply.ok) return body
  if (reply.status === 401 && sid) reportRefused(sid)
  throw toFailure(reply, body)
}

/** Fetches, telling a network that is down or silent from a caller who gave up. */
async function send(address: string, init: RequestInit, asked: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    if (asked?.aborted) throw cause
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
}

async function readBody(reply: Response, signal: AbortSignal | undefined): Promise<unknown> {
  let text: string
  try {
    text = await reply.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    // The line broke in the middle of the answer, or the page is being left: as good as no answer.
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (reply.ok && !isMarkup(text)) throw new ApiFailure('UNEXPECTED_ERROR', { status: reply.status }, { cause })
    return text // an error page of something in between
  }
}

/** ERROR-03: each status to the failure that stands for it. */
export function toFailure(reply: Pick<Response, 'status' | 'statusText'>, body: unknown): ApiFailure {
  const { status } = reply
  if (status === 401) return new ApiFailure('UNAUTHORIZED', { status, data: body })
  if (status === 404 || status === 405) {
    const message = reply.statusText || (status === 404 ? 'Not Found' : 'Method Not Allowed') // HTTP/2 sends no text
    return new ApiFailure('HTTP_ERROR', { status, message, data: body })
  }
  if (status === 412 && isErrorBody(body)) {
    const first = Array.isArray(body.error_type) ? body.error_type[0] : body.error_type
    const code = typeof first === 'string' && isErrorCode(first) ? first : 'UNEXPECTED_ERROR'
    return new ApiFailure(code, { status, subtype: toSubtype(body), data: body.error_data })
  }
  if (status >= 400) return new ApiFailure('HTTP_ERROR', { status, data: body })
  return new ApiFailure('UNEXPECTED_ERROR', { status, data: body })
}

interface ErrorBody {
  error_type: unknown
  error_subtype?: unknown
  error_data?: unknown
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error_type' in body
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** The subtype, or what stands behind the token where `error_type` is a list. */
function toSubtype({ error_type, error_subtype }: ErrorBody): string | readonly string[] | undefined {
  if (typeof error_subtype === 'string') return error_subtype
  if (Array.isArray(error_subtype)) return error_subtype.map(String)
  if (Array.isArray(error_type) && error_type.length > 1) return String(error_type[1])
  return undefined
}
