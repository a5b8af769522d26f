import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../labels/label.ts'
import { auditOfClosed, closedAccountQuery } from '../../../queries/system.ts'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { AuditLog } from '../audit/audit-log.tsx'
import style from '../users/users.module.css'
import { openingOf } from './closed-address.ts'

/** The audit of an organisation that was closed, for whoever answers for it now. */
export function ClosedAudit({ uuid }: { uuid: string }) {
  const [, putAddress] = useAddress()
  const { data: name } = useQuery(closedAccountQuery(uuid))
  return (
    <TitledSection id="closed-audit" title={name ? t('system.auditOf', { name }) : t('system.auditOfClosed')}>
      <div className={style.bar}>
        <Button variant="default" size="xs" onClick={() => putAddress(openingOf('closed'), true)}>
          {t('system.auditBack')}
        </Button>
      </div>
      <AuditLog source={auditOfClosed(uuid)} lead={t('system.auditLead')} />
    </TitledSection>
  )
}
