import { namespaceShareCode, namespaceShareCodeOpen } from '@hilum/contract/calls/namespace'
import { queryOptions } from '@tanstack/react-query'
import { isRefusal } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import type { OpenedSession } from './opened-link.ts'

/** The place behind a share code, for whoever knows the code. */
export const shareCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['share-code', code],
    queryFn: ({ signal }) => callApi(namespaceShareCode, { share_code: code }, { signal }),
    gcTime: 0,
    staleTime: 0,
    retry: (count, failure) => count < 2 && !isRefusal(failure),
  })

/** Lets whoever knows the code upload, in a session of its own. */
export async function openShareCodePage(code: string): Promise<OpenedSession> {
  const { sid, action } = await callApi(namespaceShareCodeOpen, { share_code: code })
  return { sid, action }
}
