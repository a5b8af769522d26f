import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useInboxes } from '../../queries/namespaces.ts'
import type { ListedSearch } from '../../queries/saved-searches.ts'
import { studyKeys } from '../../queries/studies.ts'
import { noFilters, type SearchFilters, setSearchFilters } from '../../state/search-filters.ts'

/** Puts a search in force and shows what it finds: in the group whose members share the search, else in all groups. */
export function useOpenSearch() {
  const inboxes = useInboxes()
  const navigate = useNavigate()
  const client = useQueryClient()
  const open = (filters: SearchFilters, namespaceId?: string) => {
    setSearchFilters(filters)
    const inbox = inboxes.find((one) => one.namespaceId === namespaceId)
    void (inbox
      ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: inbox.id, state: undefined } })
      : navigate({ to: '/group/list' }))
    void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  return {
    openSaved: ({ filters, namespaceId }: Pick<ListedSearch, 'filters' | 'namespaceId'>) => open(filters, namespaceId),
    openName: (patientName: string) => open({ ...noFilters, patientName }),
  }
}
