import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { CloseDialog } from './close-dialog.tsx'
import style from './organisation.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'

/** The way to close one's own organisation; the page is loaded anew afterwards, with whatever place is left. */
export function CloseOrganisation() {
  const { account } = useEstablished()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <TitledSection id="close-organisation" title={t('close.heading')} className={style.closing}>
      <div className={style.part}>
        <p className={style.hint}>{t('close.hint')}</p>
        <div>
          <Button variant="default" size="sm" color="red" onClick={() => setIsAsking(true)}>
            {t('close.begin')}
          </Button>
        </div>
      </div>
      {isAsking && (
        <CloseDialog
          account={account}
          onClosed={() => window.location.assign('/')}
          onClose={() => setIsAsking(false)}
        />
      )}
    </TitledSection>
  )
}
