import { tagList } from '@hilum/contract/calls/tag'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

/** TAG-02 */
const suggestedTags = 25

/** Tags in use that contain the text, the most used first. */
export const tagSuggestionsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['tags', typed.trim().toLowerCase()],
    queryFn: async ({ signal }) => {
      const text = typed.trim()
      const list = { 'page.rows': suggestedTags, 'filter.tag.like': text ? `%${text}%` : undefined }
      const { tags } = await callApi(tagList, { object: 'Study' }, { signal, list })
      return tags.map(({ tag }) => tag)
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
