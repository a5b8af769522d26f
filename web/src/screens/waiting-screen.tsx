import { t } from '../labels/label.ts'
import { LoadingState } from '../ui/quiet-state.tsx'
import style from './screens.module.css'

/** SHELL-02: while the account and its groups are being fetched. */
export function WaitingScreen() {
  return (
    <div className={style.waiting}>
      <LoadingState label={t('loading')} />
    </div>
  )
}
