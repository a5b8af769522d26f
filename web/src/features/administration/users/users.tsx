import { accountUserHandOver } from '@hilum/contract/calls/account-leaver'
import { accountUserList } from '@hilum/contract/calls/account-user'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { LeaverThings } from './leavers/leaver-things.tsx'
import { UserGrid } from './user-grid.tsx'

/** The people of the organisation, for those who may view or edit them (PERM-03); with a leaver in the address what that person left behind. */
export function Users() {
  const maySee = useMayCall(accountUserList)
  const mayHandOver = useMayCall(accountUserHandOver)
  const [address] = useAddress()
  const leaver = mayHandOver ? address.get('leaver') : null
  return (
    <TitledSection id="users" title={t('users.title')}>
      {maySee && leaver && <LeaverThings key={leaver} userId={leaver} />}
      {maySee && !leaver && <UserGrid />}
      {!maySee && <Banner tone="failed">{t('users.notPermitted')}</Banner>}
    </TitledSection>
  )
}
