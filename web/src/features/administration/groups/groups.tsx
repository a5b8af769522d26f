import { t } from '../../../labels/label.ts'
import { useMay } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import style from '../users/users.module.css'
import { GroupGrid } from './group-grid.tsx'
import { GroupMembers } from './group-members.tsx'

/** The groups of the organisation, for those who may view or edit them (PERM-03); with a group in the address its people. */
export function Groups() {
  const maySee = useMay('administerGroups')
  const [address] = useAddress()
  const groupId = address.get('group')
  return (
    <section aria-labelledby="groups">
      <h2 id="groups" className={style.heading}>
        {t('groups.title')}
      </h2>
      {!maySee && <Banner tone="failed">{t('groups.notPermitted')}</Banner>}
      {maySee && (groupId ? <GroupMembers key={groupId} groupId={groupId} /> : <GroupGrid />)}
    </section>
  )
}
