import { linkAdd } from '@hilum/contract/calls/link'
import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { studyUploadCheck } from '@hilum/contract/calls/study'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { inPlace, mayCall } from '../../session/use-may.ts'
import { clearSearchFilters } from '../../state/search-filters.ts'
import { IconCloudDownload, IconMail, IconPlus } from '../../ui/icons.ts'

/**
 * Buttons of a cloud group, each only for those who may (SHELL-09, PERM-06). A search left in force would hide the
 * result, so each button clears it first (SHELL-10).
 */
export function GroupActions({ inbox }: { inbox: Inbox }) {
  const navigate = useNavigate()
  if (inbox.designation !== 'CLOUD') return null
  const { id, permissions } = inbox
  const begin = (go: () => Promise<void>) => () => {
    clearSearchFilters()
    void go()
  }
  const params = { groupId: id }
  return (
    <>
      {mayCall(studyUploadCheck, permissions) && (
        <Button
          fullWidth
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={begin(() => navigate({ to: '/study/upload', search: { group: id } }))}
        >
          {t('nav.newCase')}
        </Button>
      )}
      {mayCall(inPlace(linkAdd), permissions) && (
        <Button
          fullWidth
          variant="default"
          leftSection={<IconMail size={15} />}
          onClick={begin(() => navigate({ to: '/study/request/$groupId', params }))}
        >
          {t('nav.request')}
        </Button>
      )}
      {mayCall(destinationSearch, permissions) && (
        <Button
          fullWidth
          variant="default"
          leftSection={<IconCloudDownload size={15} />}
          onClick={begin(() => navigate({ to: '/study/retrieve/$groupId', params }))}
        >
          {t('nav.retrieve')}
        </Button>
      )}
    </>
  )
}
