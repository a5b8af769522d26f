import { type LinkAction, linkActions } from '@hilum/contract/calls/link'
import { linkBrand, linkPinSend, linkSession, linkStatus, linkStudies } from '@hilum/contract/calls/link-open'
import { linkRequest } from '@hilum/contract/calls/link-upload'
import { linkCheckMs, uploadSessionMinutes } from '@hilum/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { isRefusal } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { hexDigestOf } from '../session/stored-uploads.ts'

/** State and factor of a link. Asking counts no use. */
export const linkStatusQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token, 'status'],
    queryFn: async ({ signal }) => callApi(linkStatus, { token, ...(await readBegun(token)) }, { signal }),
    gcTime: 0,
    staleTime: 0,
    retry: (count, failure) => count < 2 && !isRefusal(failure),
  })

/** The studies of an opened link; asked again and again, so that its end ends what is on the screen. */
export const linkStudiesQuery = (sid: string) =>
  queryOptions({
    queryKey: ['link', 'opened', sid],
    queryFn: ({ signal }) => callApi(linkStudies, {}, { sid, signal }),
    gcTime: 0,
    refetchInterval: linkCheckMs,
    retry: (count, failure) => count < 2 && !isRefusal(failure),
  })

/** Logo and colour of the organisation behind an opened link. */
export const linkBrandQuery = (sid: string) =>
  queryOptions({
    queryKey: ['link', 'brand', sid],
    queryFn: ({ signal }) => callApi(linkBrand, {}, { sid, signal }),
    gcTime: 0,
    staleTime: Infinity,
    retry: (count, failure) => count < 2 && !isRefusal(failure),
  })

/** An opened request: by whom, for what, and what was sent so far; asked again and again, so that its end shows. */
export const openedRequestQuery = (sid: string) =>
  queryOptions({
    queryKey: ['link', 'request', sid],
    queryFn: ({ signal }) => callApi(linkRequest, {}, { sid, signal }),
    gcTime: 0,
    refetchInterval: linkCheckMs,
    retry: (count, failure) => count < 2 && !isRefusal(failure),
  })

/** The session of an opened link, and what it is for. */
export interface OpenedSession {
  sid: string
  action: LinkAction
}

/** Opens a link, which counts as one use; a request that this browser has open still goes on with its use. */
export async function openLinkPage(
  token: string,
  { password, pin }: { password: string; pin: string },
): Promise<OpenedSession> {
  const { sid, action } = await callApi(linkSession, {
    token,
    ...(password ? { password } : {}),
    ...(pin ? { pin } : {}),
    ...(await readBegun(token)),
  })
  return { sid, action }
}

/** Has a code mailed to the addressee of a link. */
export async function mailLinkPin(token: string): Promise<{ isMailed: boolean }> {
  const { has_smtp: hasSmtp } = await callApi(linkPinSend, { token })
  return { isMailed: hasSmtp !== 0 }
}

/*
 * One use is one browser session: the sid outlasts a reload of the page, and is forgotten with the tab.
 */
const storageKey = 'hilum.link'

export function readOpened(token: string): OpenedSession | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { token: of, sid, action } = (stored ?? {}) as Record<string, unknown> // checked below
    const known = linkActions.find((one) => one === action)
    return of === token && typeof sid === 'string' && known ? { sid, action: known } : undefined
  } catch {
    return undefined // a browser without storage, or somebody else's text there
  }
}

export function storeOpenedLink(token: string, opened: OpenedSession | undefined): void {
  try {
    if (opened) sessionStorage.setItem(storageKey, JSON.stringify({ token, ...opened }))
    else sessionStorage.removeItem(storageKey)
  } catch {
    // a browser that keeps nothing asks to open the link again after a reload
  }
}

/*
 * A crash of the browser forgets the sid of a request, and with it the last use. What outlasts the crash is the digest of
 * the sid, by that of the address: the server goes on with the use for whoever shows the digest and knows the address and
 * the password. By itself the digest opens nothing.
 */
const begunKey = 'hilum.begun-requests'
const mayDigest = () => globalThis.crypto?.subtle !== undefined

type Begun = Record<string, { again: string; untilMs: number }>

function readAllBegun(): Begun {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(begunKey) ?? '{}')
    const entries = Object.entries((stored ?? {}) as Begun) // checked below
    return Object.fromEntries(
      entries.filter(([, one]) => typeof one?.again === 'string' && Number(one.untilMs) > Date.now()),
    )
  } catch {
    return {} // a browser without storage, or somebody else's text there
  }
}

async function readBegun(token: string): Promise<{ again?: string }> {
  if (!mayDigest()) return {}
  const again = readAllBegun()[await hexDigestOf(token)]?.again
  return again ? { again } : {}
}

/** Remembers that this browser has a request open, or forgets that. */
export async function storeBegunRequest(token: string, opened: OpenedSession | undefined): Promise<void> {
  if (!mayDigest() || (opened && opened.action !== 'STUDY_UPLOAD')) return
  const [owner, again] = [await hexDigestOf(token), opened && (await hexDigestOf(opened.sid))]
  const { [owner]: _, ...others } = readAllBegun()
  const untilMs = Date.now() + uploadSessionMinutes * 60_000
  try {
    localStorage.setItem(begunKey, JSON.stringify(again ? { ...others, [owner]: { again, untilMs } } : others))
  } catch {
    // a browser that keeps nothing cannot go on with the last use
  }
}
