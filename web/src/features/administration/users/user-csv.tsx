import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toCsv } from '@hilum/contract/csv'
import { t } from '../../../labels/label.ts'
import { type AccountUser, listEveryUser, type UserFilters } from '../../../queries/account-users.ts'
import { putNotice } from '../../../state/notices.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { reasonText } from './user-acts.ts'

interface UserCsvProps {
  accountId: string
  sort: { field: string; isDescending: boolean }
  filters: UserFilters
}

/** Downloads everybody whom the filter finds as a table for spreadsheets. */
export function UserCsv({ accountId, sort, filters }: UserCsvProps) {
  const load = useMutation({
    mutationFn: () => listEveryUser(accountId, sort, filters),
    onSuccess: (users) => saveFile(t('users.csvName'), tableOf(users)),
    onError: (failure) => putNotice(t('users.csvFailed', { reason: reasonText(failure) })),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} />}
      loading={load.isPending}
      onClick={() => load.mutate()}
    >
      {t('users.csv')}
    </Button>
  )
}

/** Times are in UTC, as the server keeps them. */
function tableOf(users: readonly AccountUser[]): string {
  const head = [
    t('users.first'),
    t('users.last'),
    t('users.email'),
    t('users.role'),
    t('users.state'),
    t('users.lastLogin'),
  ]
  const rows = users.map((user) => [
    user.first,
    user.last,
    user.user_email,
    user.role_name,
    t(user.disabled === 1 ? 'users.disabled' : 'users.active'),
    user.last_login ? `${user.last_login.slice(0, 19)}Z` : '',
  ])
  return toCsv([head, ...rows])
}
