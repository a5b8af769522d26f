import { accountConnectList } from '@hilum/contract/calls/account-connect'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { ConnectionGrid } from './connection-grid.tsx'
import { ExchangeRules } from './exchange-rules.tsx'

/** Organisations that exchange exams with this one, for its administrators. */
export function Connections() {
  const maySee = useMayCall(accountConnectList)
  return (
    <TitledSection id="connections" title={t('connections.title')}>
      {maySee ? (
        <>
          <ConnectionGrid />
          <ExchangeRules />
        </>
      ) : (
        <Banner tone="failed">{t('connections.notPermitted')}</Banner>
      )}
    </TitledSection>
  )
}
