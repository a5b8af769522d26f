import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { isWaiting } from '../../queries/approvals.ts'
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconChecklist,
  IconClockHour4,
  IconCloudDownload,
  IconFlag3Filled,
  IconLock,
  IconPaperclip,
  IconRefresh,
  IconUsers,
  IconUsersGroup,
} from '../../ui/icons.ts'
import { showsPriority } from './card-facts.ts'
import style from './study-card.module.css'

type Icon = typeof IconLock

/** Icons of a card, each with its word for screen readers and as a title (LIST-17). */
export function CardIcons({ study, designation }: { study: Study; designation: Designation | undefined }) {
  const state = study.nomination?.state
  const isFromShare = study.source === 'share'
  const shown: [boolean, Icon, string, string?][] = [
    [showsPriority(study, designation), IconFlag3Filled, t('card.priority'), 'priority'],
    [designation !== 'GATEKEEPER' && isWaiting(study), IconClockHour4, t('card.waits'), 'priority'],
    // LIST-17: of the gate
    [state === 'nominated' || state === 'queued', IconChecklist, t('card.nominated')],
    [state === 'completed', IconCheck, t('card.processed')],
    [state === 'rejected', IconBan, t('card.rejected'), 'priority'],
    [state === 'failed', IconAlertTriangle, t('card.pushFailed'), 'priority'],
    [study.conflict_count > 0, IconAlertTriangle, t('card.conflict'), 'priority'],
    [study.is_being_retrieved === 1, IconRefresh, t('card.retrieving')],
    [study.attachment_count > 0, IconPaperclip, t('card.attachment')],
    [study.has_direct_shares === 1, IconUsers, t('card.shared')],
    [isFromShare, IconUsersGroup, t('card.sharedWithGroup')],
    [study.thin === 1, IconCloudDownload, t('card.thin')],
    [study.is_locked === 1, IconLock, t('card.locked')],
  ]
  return (
    <span className={style.icons}>
      {shown
        .filter(([isShown]) => isShown)
        .map(
          ([, Icon, label, tone]): ReactNode => (
            <span key={label} role="img" aria-label={label} title={label} data-tone={tone} className={style.icon}>
              <Icon size={15} aria-hidden="true" />
            </span>
          ),
        )}
    </span>
  )
}
