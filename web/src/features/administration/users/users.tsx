import { t } from '../../../labels/label.ts'
import { useMay } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { UserGrid } from './user-grid.tsx'
import style from './users.module.css'

/** The people of the organisation, for those who may view or edit them (PERM-03). */
export function Users() {
  const maySee = useMay('administerUsers')
  return (
    <section aria-labelledby="users">
      <h2 id="users" className={style.heading}>
        {t('users.title')}
      </h2>
      {maySee ? <UserGrid /> : <Banner tone="failed">{t('users.notPermitted')}</Banner>}
    </section>
  )
}
