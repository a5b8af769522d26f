import { namespaceShareCode } from '@hilum/contract/calls/namespace'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

/** The studies that a place takes in, for its members (UPLOAD-04). */
export const shareSettingsQuery = (namespaceId: string) =>
  queryOptions({
    queryKey: ['share-settings', namespaceId],
    queryFn: ({ signal }) => callApi(namespaceShareCode, { namespace_id: namespaceId }, { signal }),
    staleTime: 60_000,
  })
