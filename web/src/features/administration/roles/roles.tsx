import { roleList } from '@hilum/contract/calls/role'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from '../users/users.module.css'
import { RoleGrid } from './role-grid.tsx'

/** The roles of the organisation, for those who may view them. */
export function Roles() {
  const maySee = useMayCall(roleList)
  return (
    <section aria-labelledby="roles">
      <h2 id="roles" className={style.heading}>
        {t('roles.title')}
      </h2>
      {maySee ? <RoleGrid /> : <Banner tone="failed">{t('roles.notPermitted')}</Banner>}
    </section>
  )
}
