import { t } from '../../../labels/label.ts'
import { OffForSupport } from '../../../session/off-for-support.tsx'
import { useIsOfSystem, useIsSupportSession } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { ClosedAudit } from './closed-audit.tsx'
import { ClosedOrganisations } from './closed-organisations.tsx'
import { OrganisationGrid } from './organisation-grid.tsx'
import { SystemPeople } from './system-people.tsx'

/** The page for people without the flags: a supporter who is signed in as one of them has them still. */
function Closed() {
  if (useIsSupportSession()) return <OffForSupport reason="offForSupport.system" />
  return <Banner tone="failed">{t('system.notPermitted')}</Banner>
}

/** All organisations of the installation, those that were closed, and the people who look after it (PERM-02). */
export function System() {
  const { isSystem, isSupporter } = useIsOfSystem()
  const [address] = useAddress()
  const isClosed = isSystem && address.get('view') === 'closed'
  const audited = address.get('audit')
  if (isClosed && audited) return <ClosedAudit uuid={audited} />
  if (isClosed) return <ClosedOrganisations />
  return (
    <TitledSection id="system" title={t('system.title')}>
      {isSystem || isSupporter ? (
        <>
          <OrganisationGrid mayAdd={isSystem} />
          <SystemPeople mayChange={isSystem} />
        </>
      ) : (
        <Closed />
      )}
    </TitledSection>
  )
}
