import { accountConnectList } from '@hilum/contract/calls/account-connect'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ConnectionGrid } from './connection-grid.tsx'
import style from '../users/users.module.css'
import { ExchangeRules } from './exchange-rules.tsx'

/** Organisations that exchange exams with this one, for its administrators. */
export function Connections() {
  const maySee = useMayCall(accountConnectList)
  return (
    <section aria-labelledby="connections">
      <h2 id="connections" className={style.heading}>
        {t('connections.title')}
      </h2>
      {maySee ? (
        <>
          <ConnectionGrid />
          <ExchangeRules />
        </>
      ) : (
        <Banner tone="failed">{t('connections.notPermitted')}</Banner>
      )}
    </section>
  )
}
