import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { CloseDialog } from './close-dialog.tsx'
import style from './organisation.module.css'

/** The way to close one's own organisation; the page is loaded anew afterwards, with whatever place is left. */
export function CloseOrganisation() {
  const { account } = useEstablished()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <section className={style.closing} aria-labelledby="close-organisation">
      <h2 id="close-organisation" className={style.heading}>
        {t('close.heading')}
      </h2>
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
    </section>
  )
}
