import type { InstallationNotice } from '@hilum/contract/calls/account'
import { formatStamp } from '../../format/dates.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { useInstallationNotices } from '../../queries/installation-notices.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useIsOffline } from '../../state/line-state.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './shell.module.css'

/** Notices about something that is not yet urgent. */
const early: ReadonlySet<InstallationNotice> = new Set(['DISK_LOW', 'CERTIFICATE_ENDS'])

/** Notices about the whole installation, each until its cause is gone: that it is out of reach, and what an administrator should see to. */
export function InstallationBanner() {
  const notices = useInstallationNotices()
  const isOffline = useIsOffline()
  const { dateFormat, timeZone } = usePreferences()
  if (notices.length === 0 && !isOffline) return null
  return (
    <div className={style.installation}>
      {isOffline && <Banner tone="priority">{t('shell.offline')}</Banner>}
      {notices.map(({ code, free_bytes, total_bytes, failed_mails, failing_rules, certificate_ends }) => (
        <Banner key={code} tone={early.has(code) ? 'priority' : 'failed'}>
          {t(`installation.${code}`, {
            free: formatSize(free_bytes),
            total: formatSize(total_bytes),
            count: code === 'RULE_FAILS' ? failing_rules : failed_mails,
            ends: formatStamp(certificate_ends, dateFormat, timeZone),
          })}
        </Banner>
      ))}
    </div>
  )
}
