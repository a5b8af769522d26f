import { useParams } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { useInboxes } from '../queries/namespaces.ts'
import { may } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

interface BeginScreenProps {
  title: string
  action: 'requestStudy' | 'retrieveStudy'
  refusal: string
  notYet: string
}

/** A way to get studies into a group: says who may not, and that it is still to come. */
function BeginScreen({ title, action, refusal, notYet }: BeginScreenProps) {
  const { groupId } = useParams({ strict: false })
  const inbox = useInboxes().find(({ id }) => id === groupId)
  return (
    <div className={style.notice}>
      <h1 className={style.heading}>{title}</h1>
      {!inbox ? (
        <Banner tone="failed">{t('group.notFound')}</Banner>
      ) : !may(action, inbox.permissions) ? (
        <Banner tone="failed">{refusal}</Banner>
      ) : (
        <Banner tone="neutral">{notYet}</Banner>
      )}
    </div>
  )
}

/** ROUTE-05, PERM-07, ERROR-12 */
export function RequestStudyScreen() {
  return (
    <BeginScreen
      title={t('request.title')}
      action="requestStudy"
      refusal={t('request.notPermitted')}
      notYet={t('request.notAvailable')}
    />
  )
}

/** ROUTE-06, PERM-09, ERROR-12 */
export function RetrieveStudyScreen() {
  return (
    <BeginScreen
      title={t('retrieve.title')}
      action="retrieveStudy"
      refusal={t('retrieve.notPermitted')}
      notYet={t('retrieve.notAvailable')}
    />
  )
}
