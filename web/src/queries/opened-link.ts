import { type LinkAction, linkActions } from '@hilum/contract/calls/link'
import { linkBrand, linkPinSend, linkSession, linkStatus, linkStudies } from '@hilum/contract/calls/link-open'
import { linkRequest } from '@hilum/contract/calls/link-upload'
import { linkCheckMs } from '@hilum/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { isRefusal } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'

/** State and factor of a link. Asking counts no use. */
export const linkStatusQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token, 'status'],
    queryFn: ({ signal }) => callApi(linkStatus, { token }, { signal }),
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

/** Opens a link, which counts as one use. */
export async function openLinkPage(
  token: string,
  { password, pin }: { password: string; pin: string },
): Promise<OpenedSession> {
  const { sid, action } = await callApi(linkSession, {
    token,
    ...(password ? { password } : {}),
    ...(pin ? { pin } : {}),
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
