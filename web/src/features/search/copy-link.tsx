import { ActionIcon } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { isOpenSearch } from '../../queries/address-filters.ts'
import { storeSearchForLink } from '../../queries/saved-searches.ts'
import { useEstablished } from '../../session/session-store.ts'
import { filterParameters } from '../../state/list-search.ts'
import { putNotice } from '../../state/notices.ts'
import { useSearchFilters } from '../../state/search-filters.ts'
import { IconCheck, IconLink } from '../../ui/icons.ts'
import style from './search-bar.module.css'

/**
 * Copies the address of what is shown. A search that may name patients is kept on the server and the address carries
 * its number only; any other stands in the address as it is. Whoever opens it sees what their own rights allow.
 */
export function CopyLink({ today }: { today: string }) {
  const { account } = useEstablished()
  const filters = useSearchFilters()
  const copy = useMutation({
    mutationFn: async () => {
      const address = new URL(location.href)
      address.searchParams.delete('filter')
      if (!isOpenSearch(filters)) {
        for (const name of filterParameters) address.searchParams.delete(name)
        address.searchParams.set('filter', await storeSearchForLink(account.uuid, t('search.linkName'), filters, today))
      }
      await navigator.clipboard.writeText(address.href)
    },
    // In passing: beside the fields it would push them together under somebody's hand.
    onSuccess: () => putNotice(t('search.linkCopied')),
  })
  return (
    <>
      <ActionIcon
        aria-label={t('search.copyLink')}
        title={t('search.copyLink')}
        size={28}
        loading={copy.isPending}
        onClick={() => copy.mutate()}
      >
        {copy.isSuccess ? <IconCheck size={16} /> : <IconLink size={16} />}
      </ActionIcon>
      <span role="status" className={style.linkFailed}>
        {copy.isError && t('search.linkFailed')}
      </span>
    </>
  )
}
