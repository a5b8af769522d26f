import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { useParams } from '@tanstack/react-router'
import { RetrieveStudy } from '../features/retrieve/retrieve-study.tsx'
import { t } from '../labels/label.ts'
import { useInboxes } from '../queries/namespaces.ts'
import { mayCall } from '../session/use-may.ts'
import { RefusedAct } from './refused-act.tsx'
import style from './screens.module.css'

/** ROUTE-06, PERM-09, ERROR-12 */
export function RetrieveStudyScreen() {
  const { groupId } = useParams({ strict: false })
  const inbox = useInboxes().find(({ id }) => id === groupId)
  // destinations are those of an organisation: nothing is fetched into a person's own studies
  const isGranted = inbox && inbox.kind !== 'mine' && mayCall(destinationSearch, inbox.permissions)
  return (
    <div className={style.broadPage}>
      <h1 className={style.heading}>{t('retrieve.title')}</h1>
      {isGranted ? (
        <RetrieveStudy key={inbox.id} inbox={inbox} />
      ) : (
        <RefusedAct act="retrieve" inbox={inbox} text={t('retrieve.notPermitted')} />
      )}
    </div>
  )
}
