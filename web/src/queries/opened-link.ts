import { linkSession, linkStatus, linkStudies } from '@hilum/contract/calls/link'
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

/** Opens a link, which counts as one use. */
export async function openLink(token: string, password: string): Promise<string> {
  const { sid } = await callApi(linkSession, { token, ...(password ? { password } : {}) })
  return sid
}

/*
 * One use is one browser session: the sid outlasts a reload of the page, and is forgotten with the tab.
 */
const storageKey = 'hilum.link'

export function readLinkSid(token: string): string | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { [token]: sid } = kept as Record<string, unknown> // checked below
    return typeof sid === 'string' ? sid : undefined
  } catch {
    return undefined // a browser without storage, or somebody else's text there
  }
}

export function keepLinkSid(token: string, sid: string | undefined): void {
  try {
    if (sid) sessionStorage.setItem(storageKey, JSON.stringify({ [token]: sid }))
    else sessionStorage.removeItem(storageKey)
  } catch {
    // a browser that keeps nothing asks to open the link again after a reload
  }
}
