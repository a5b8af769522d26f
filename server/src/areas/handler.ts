import type { AnyCall, ErrorOf, InputOf, OutputOf } from '@hilum/contract/call'
import type { ApiError, ErrorDetail } from '@hilum/contract/errors'
import type { ListQuery, ListRules } from '@hilum/contract/list'
import type { Caller } from '../access/caller.ts'
import type { Resolved } from '../access/resolve-subject.ts'
import type { Services } from '../services.ts'

/** Where a call came from, apart from what it says. */
export interface Origin {
  /** host:port of the listener that was asked. */
  host: string
  isHttps: boolean
  clientAddress: string
  /** The session token as it was sent, if any. */
  sid?: string | undefined
  /** The sid in the cookie of a page of this very host; absent for other pages, programs and inside a bundle. */
  cookieSid?: string | undefined
  /** Name and version of the program, as it says itself. */
  userAgent?: string | undefined
  /** Sets the cookie that lets the browser read images; absent inside a bundle. */
  setCookie?: (sid: string | undefined) => void
  /** The secret that binds a way to a provider of identities to the browser; as `cookieSid` for pages of this host. */
  flowCookie?: string | undefined
  /** The secret of a device that a person let pass without a code; as `cookieSid` for pages of this host. */
  deviceCookie?: string | undefined
  /** Absent inside a bundle, and for pages of other hosts. */
  setDeviceCookie?: ((secret: string, seconds: number) => void) | undefined
  /** Absent inside a bundle. */
  setFlowCookie?: (secret: string, seconds: number) => void
}

export interface CallRequest<C extends AnyCall> {
  services: Services
  input: InputOf<C>
  /** Everything that was sent, for fields whose names are not fixed (`customfield-{uuid}`). */
  raw: Readonly<Record<string, unknown>>
  list: C extends { list: ListRules } ? ListQuery : undefined
  caller: C['on'] extends { kind: 'anyone' } ? undefined : Caller
  on: Resolved[C['on']['kind']]
  origin: Origin
  /** Makes one of the errors that this call declares; throw what it returns. */
  fail: (code: ErrorOf<C>, detail?: ErrorDetail) => ApiError
}

export type Handler<C extends AnyCall> = (request: CallRequest<C>) => Promise<OutputOf<C>>
