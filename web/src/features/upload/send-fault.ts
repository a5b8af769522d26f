import { ApiFailure, isVirusRefusal } from '../../api/api-failure.ts'
import { isLoginPage } from '../../api/is-login-page.ts'

/**
 * Kinds of faults in sending, as far as the next step depends on them:
 * - unreachable, server: worth another try; refused: only this file cannot go; unreadable: the file is gone or changed;
 * - signed-out, full: all wait, for a sign-in or for room; not-permitted, no-destination, over-limit: nothing more can go,
 *   so all stop.
 */
export type FaultKind =
  | 'unreachable'
  | 'server'
  | 'refused'
  | 'unreadable'
  | 'signed-out'
  | 'not-permitted'
  | 'no-destination'
  | 'full'
  | 'over-limit'

/** A failed request of an upload. `detail` is the server's own word for it, where it gave one. */
export class SendFault extends Error {
  readonly kind: FaultKind
  readonly status: number
  readonly detail: string

  constructor(kind: FaultKind, status = 0, detail = '', options?: ErrorOptions) {
    super(`${kind}${status ? ` (${status})` : ''}${detail ? `: ${detail}` : ''}`, options)
    this.kind = kind
    this.status = status
    this.detail = detail
  }

  /** Name of the person who holds the study, where that is the fault. */
  get holder(): string {
    const data = this.cause instanceof ApiFailure ? this.cause.data : undefined
    const name = (data as { locked_by_name?: unknown } | undefined)?.locked_by_name // checked on the next line
    return typeof name === 'string' ? name : ''
  }

  /** Another try may succeed by itself. */
  get isTransient() {
    return this.kind === 'unreachable' || this.kind === 'server'
  }

  /** The next file would meet the same, so the upload stops here instead of failing file by file. */
  get stopsAll() {
    return ['unreachable', 'not-permitted', 'no-destination', 'over-limit'].includes(this.kind)
  }
}

/** Names whatever was thrown while sending; what nobody foresaw is a fault of the server's side, its cause kept. */
export function toFault(thrown: unknown): SendFault {
  if (thrown instanceof SendFault) return thrown
  return thrown instanceof ApiFailure ? faultOfCall(thrown) : new SendFault('server', 0, '', { cause: thrown })
}

function faultOfCall(failure: ApiFailure): SendFault {
  const { code, status } = failure
  const kind = callFaults[code] ?? (status >= 500 || status === 429 ? 'server' : 'refused')
  return new SendFault(kind, status, code, { cause: failure })
}

const callFaults: Partial<Record<ApiFailure['code'], FaultKind>> = {
  ERR_NETWORK: 'unreachable',
  UNAUTHORIZED: 'signed-out',
  SID_NOT_FOUND: 'signed-out',
  NOT_PERMITTED: 'not-permitted',
  NAMESPACE_NOT_FOUND: 'no-destination',
  NOT_FOUND: 'no-destination',
}

/** Reads a reply that is not the one of a file or call that was taken. */
export function sendFaultOf(status: number, body: string): SendFault {
  if (isLoginPage(status, body)) return new SendFault('unreachable', status)
  const detail = readDetail(body)
  if (status === 401) return new SendFault('signed-out', status, detail)
  if (isVirusRefusal(body)) return new SendFault('refused', status, detail)
  if (status === 403 || detail === 'NOT_PERMITTED') return new SendFault('not-permitted', status, detail)
  if (status === 404 || detail === 'NAMESPACE_NOT_FOUND') return new SendFault('no-destination', status, detail)
  if (status === 413 && body.includes('left_bytes')) return new SendFault('over-limit', status, detail)
  if (status === 507) return new SendFault('full', status, detail)
  const isTransient = status >= 500 || status === 408 || status === 425 || status === 429
  return new SendFault(isTransient ? 'server' : 'refused', status, detail)
}

/** The fault behind an answer of 200 or 202 that says nothing of what was taken. */
export function unreadFaultOf(status: number, body: string, cause: unknown): SendFault {
  return new SendFault(isLoginPage(status, body) ? 'unreachable' : 'server', status, '', { cause })
}

/** The server's error type or message; the envelopes of the services and the storage API differ. */
function readDetail(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null) return ''
    const { error_type: type, message, error } = parsed as Record<string, unknown> // fields are checked below
    const found = [Array.isArray(type) ? type[0] : type, message, error].find((one) => typeof one === 'string')
    return typeof found === 'string' ? found : ''
  } catch {
    return '' // A proxy's HTML page says nothing that a person could use.
  }
}
