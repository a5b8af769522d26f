import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { cutText } from '../../format/cut.ts'
import { t } from '../../labels/label.ts'
import { readAddressFaults, toAddress } from '../../queries/address-filters.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { readSearchFilters } from '../../state/search-filters.ts'
import { Banner } from '../../ui/banner.tsx'
import { searchedField } from './searched-field.ts'

/** Letters of a wrong value that are repeated on the screen. */
const repeatedLetters = 40

interface AddressNoticeProps {
  inboxes: readonly Inbox[]
  knowsSort: (sort: string) => boolean
}

/** Says what the address asks for that nobody knows here, so that a list is never taken for a narrower one. */
export function AddressNotice({ inboxes, knowsSort }: AddressNoticeProps) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { sort, group } = search
  const wrongSort = sort !== undefined && !knowsSort(sort)
  const wrongGroup = group !== undefined && !inboxes.some(({ id }) => id === group)
  const faults = [
    ...readAddressFaults(search).map(({ field, value }) => ({ field: t(searchedField(field)), value })),
    ...(wrongGroup ? [{ field: t('search.group'), value: group }] : []),
    ...(wrongSort ? [{ field: t('list.sort'), value: sort }] : []),
  ]
  if (faults.length === 0) return null
  const handleClose = () =>
    navigate({
      to: '.',
      search: (before) => ({
        ...before,
        ...toAddress(readSearchFilters()),
        ...(wrongSort && { sort: undefined }),
        ...(wrongGroup && { group: undefined }),
      }),
      replace: true,
    })
  return (
    <Banner
      tone="priority"
      action={
        <Button variant="default" size="compact-xs" onClick={() => void handleClose()}>
          {t('button.close')}
        </Button>
      }
    >
      {t('search.addressFaults')}{' '}
      {faults
        .map(({ field, value }) => t('search.addressFault', { field, value: cutText(value, repeatedLetters) }))
        .join(', ')}
    </Banner>
  )
}
