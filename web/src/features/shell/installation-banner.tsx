import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { useInstallationNotices } from '../../queries/installation-notices.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './shell.module.css'

/** Installation notices for an administrator to act on; each stays until its cause is gone. */
export function InstallationBanner() {
  const notices = useInstallationNotices()
  if (notices.length === 0) return null
  return (
    <div className={style.installation}>
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
