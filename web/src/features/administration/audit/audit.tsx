import { auditAccount } from '@hilum/contract/calls/audit'
import { t } from '../../../labels/label.ts'
import { auditOfOwn } from '../../../queries/audit.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { PageViews } from '../page-views.tsx'
import { AuditLog } from './audit-log.tsx'
import { AuditSeals } from './audit-seals.tsx'
import { PatientAccess } from './patient-access.tsx'

const views = ['log', 'patient', 'seals'] as const

/** The audit of the organisation: everything, who saw one patient, and whether its seals are whole. */
export function Audit() {
  const { account } = useEstablished()
  const maySee = useMayCall(auditAccount)
  const [address, putAddress] = useAddress()
  const view = views.find((one) => one === address.get('view')) ?? 'log'
  return (
    <TitledSection id="audit" title={t('audit.title')}>
      {maySee ? (
        <>
          <PageViews
            views={views}
            shown={view}
            label={t('audit.views')}
            nameOf={(one) => t(`audit.view.${one}`)}
            onShow={(chosen) => putAddress({ view: chosen === 'log' ? undefined : chosen, page: undefined })}
          />
          {view === 'log' && <AuditLog source={auditOfOwn(account.uuid)} lead={t('audit.lead')} />}
          {view === 'patient' && <PatientAccess />}
          {view === 'seals' && <AuditSeals />}
        </>
      ) : (
        <Banner tone="failed">{t('audit.notPermitted')}</Banner>
      )}
    </TitledSection>
  )
}
