import { Button } from '@mantine/core'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { readSession } from '../session/session-store.ts'
import { Dialog } from '../ui/dialog.tsx'
import style from './unsaved-guard.module.css'

export interface AddressPlace {
  pathname: string
  search: object
}

interface UnsavedGuardProps {
  isDirty: boolean
  text?: string
  /** Whether a way from here leaves the form; every way does without it. */
  isAway?: (from: AddressPlace, to: AddressPlace) => boolean
}

/**
 * Asks before a form is left with changes that are not saved. A session that ended leaves without asking, and so does a
 * page without routes.
 */
export function UnsavedGuard(props: UnsavedGuardProps) {
  const hasRoutes = Boolean(useRouter({ warn: false }))
  return hasRoutes ? <AskingGuard {...props} /> : null
}

function AskingGuard({ isDirty, text = t('unsaved.text'), isAway = () => true }: UnsavedGuardProps) {
  const mustAsk = () => isDirty && readSession().status === 'established'
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => mustAsk() && isAway(current, next),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title={t('unsaved.title')} closeLabel={t('button.close')} onClose={reset}>
      <p>{text}</p>
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
