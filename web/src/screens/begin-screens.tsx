import { useParams } from '@tanstack/react-router'
import { RetrieveStudy } from '../features/retrieve/retrieve-study.tsx'
import { t } from '../labels/label.ts'
import { useInboxes } from '../queries/namespaces.ts'
import { may } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

/** ROUTE-06, PERM-09, ERROR-12 */
export function RetrieveStudyScreen() {
  const { groupId } = useParams({ strict: false })
  const inbox = useInboxes().find(({ id }) => id === groupId)
  return (
    <div className={style.notice}>
      <h1 className={style.heading}>{t('retrieve.title')}</h1>
      {!inbox ? (
        <Banner tone="failed">{t('group.notFound')}</Banner>
      ) : !may('retrieveStudy', inbox.permissions) ? (
        <Banner tone="failed">{t('retrieve.notPermitted')}</Banner>
      ) : (
        <RetrieveStudy key={inbox.id} inbox={inbox} />
      )}
    </div>
  )
}
