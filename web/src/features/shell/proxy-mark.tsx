import { t } from '../../labels/label.ts'
import { signOut } from '../../session/establish-session.ts'
import { useEstablished } from '../../session/session-store.ts'
import style from './proxy-mark.module.css'

/** A line around the whole window while a supporter is signed in as somebody else. */
export function ProxyFrame() {
  return <div className={style.frame} aria-hidden="true" />
}

/** Instead of the welcome in the header: who is signed in as whom, and the way out. */
export function ProxyMark({ supporter }: { supporter: string }) {
  const { user, account } = useEstablished()
  const words = t('proxy.header', { supporter, user: user.name, account: account.name })
  return (
    <div className={style.mark}>
      <span role="status" title={words}>
        {words}
      </span>
      <button type="button" aria-label={t('proxy.endLabel')} onClick={() => void signOut()}>
        {t('proxy.end')}
      </button>
    </div>
  )
}
