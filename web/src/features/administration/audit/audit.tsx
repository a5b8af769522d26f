import { auditAccount } from '@hilum/contract/calls/audit'
import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import style from './audit.module.css'
import { AuditLog } from './audit-log.tsx'
import { AuditSeals } from './audit-seals.tsx'
import { PatientAccess } from './patient-access.tsx'

const views = ['log', 'patient', 'seals'] as const

/** The audit of the organisation: everything, who saw one patient, and whether its seals are whole. */
export function Audit() {
  const maySee = useMayCall(auditAccount)
  const [address, putAddress] = useAddress()
  const view = views.find((one) => one === address.get('view')) ?? 'log'
  return (
    <section aria-labelledby="audit">
      <h2 id="audit" className={style.heading}>
        {t('audit.title')}
      </h2>
      {maySee ? (
        <>
          <nav aria-label={t('audit.views')} className={style.views}>
            {views.map((one) => (
              <Button
                key={one}
                size="xs"
                variant={one === view ? 'light' : 'subtle'}
                aria-current={one === view ? 'page' : undefined}
                onClick={() => putAddress({ view: one === 'log' ? undefined : one, page: undefined })}
              >
                {t(`audit.view.${one}`)}
              </Button>
            ))}
          </nav>
          {view === 'log' && <AuditLog />}
          {view === 'patient' && <PatientAccess />}
          {view === 'seals' && <AuditSeals />}
        </>
      ) : (
        <Banner tone="failed">{t('audit.notPermitted')}</Banner>
      )}
    </section>
  )
}
