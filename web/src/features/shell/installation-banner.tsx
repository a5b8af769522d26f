import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { useInstallationNotices } from '../../queries/installation-notices.ts'
import { useIsOffline } from '../../state/line-state.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './shell.module.css'

/** Notices about the whole installation, each until its cause is gone: that it is out of reach, and what an administrator should see to. */
export function InstallationBanner() {
  const notices = useInstallationNotices()
  const isOffline = useIsOffline()
  if (notices.length === 0 && !isOffline) return null
  return (
    <div className={style.installation}>
      {isOffline && <Banner tone="priority">{t('shell.offline')}</Banner>}
      {notices.map(({ code, free_bytes, total_bytes, failed_mails }) => (
        <Banner key={code} tone={code === 'DISK_LOW' ? 'priority' : 'failed'}>
          {t(`installation.${code}`, {
            free: formatSize(free_bytes),
            total: formatSize(total_bytes),
            count: failed_mails,
          })}
        </Banner>
      ))}
    </div>
  )
}
