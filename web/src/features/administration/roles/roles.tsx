import { roleList } from '@hilum/contract/calls/role'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { RoleGrid } from './role-grid.tsx'

/** The roles of the organisation, for those who may view them. */
export function Roles() {
  const maySee = useMayCall(roleList)
  return (
    <TitledSection id="roles" title={t('roles.title')}>
      {maySee ? <RoleGrid /> : <Banner tone="failed">{t('roles.notPermitted')}</Banner>}
    </TitledSection>
  )
}
