import { linkAdd } from '@hilum/contract/calls/link'
import { useNavigate, useParams } from '@tanstack/react-router'
import { RequestForm } from '../features/requests/request-form.tsx'
import { t } from '../labels/label.ts'
import { useInboxes } from '../queries/namespaces.ts'
import { useEstablished } from '../session/session-store.ts'
import { inPlace, mayCall } from '../session/use-may.ts'
import { RefusedAct } from './refused-act.tsx'
import style from './screens.module.css'

/** ROUTE-05, PERM-07, ERROR-12, REQUEST-07: the form, and after it the pending requests of the group. */
export function RequestStudyScreen() {
  const { groupId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { user } = useEstablished()
  const inbox = useInboxes().find(({ id }) => id === groupId)
  const leave = (request?: string) =>
    void navigate({
      to: '/group/$groupId/{-$state}',
      params: { groupId, state: 'Pending Requests' },
      search: request ? { request } : {},
      // what was typed is sent: nobody is asked about it
      ignoreBlocker: request !== undefined,
    })
  const isGranted = inbox && mayCall(inPlace(linkAdd), inbox.permissions)
  return (
    <div className={style.formPage}>
      <h1 className={style.heading}>{t('request.title')}</h1>
      {!isGranted && <RefusedAct act="request" inbox={inbox} text={t('request.notPermitted')} />}
      {isGranted && <p className={style.lead}>{t('request.lead', { group: inbox.name })}</p>}
      {isGranted && (
        <RequestForm group={inbox} ownEmail={user.email} onSent={(uuid) => leave(uuid)} onCancel={() => leave()} />
      )}
    </div>
  )
}
