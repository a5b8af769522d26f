import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { readSession } from '../session/session-store.ts'
import { Dialog } from '../ui/dialog.tsx'
import style from './unsaved-guard.module.css'

/** Asks before a form is left with changes that are not saved. A session that ended leaves without asking. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const mustAsk = () => isDirty && readSession().status === 'established'
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: mustAsk,
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title={t('unsaved.title')} closeLabel={t('button.close')} onClose={reset}>
      <p>{t('unsaved.text')}</p>
      <div className={style.buttons}>
        <Button variant="default" data-autofocus onClick={reset}>
          {t('unsaved.stay')}
        </Button>
        <Button color="red" onClick={proceed}>
          {t('unsaved.leave')}
        </Button>
      </div>
    </Dialog>
  )
}
