import { ActionIcon } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../labels/label.ts'
import { dropNotice, type Notice, noticeMs, useNotices } from '../../state/notices.ts'
import { IconCircleCheckFilled, IconX } from '../../ui/icons.ts'
import style from './notices.module.css'

/**
 * Snackbars in the corner (ERROR-16). Live regions are there from the start, so that a screen reader hears what comes.
 */
export function Notices() {
  const notices = useNotices()
  return (
    <div className={style.notices} role="status">
      {notices.map((notice) => (
        <Snackbar key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

/** A notice, whose time stands still under the pointer or the focus. */
function Snackbar({ notice: { id, text } }: { notice: Notice }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dropNotice(id), noticeMs)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  return (
    <div
      className={style.notice}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <IconCircleCheckFilled size={16} className={style.icon} />
      <span>{text}</span>
      <ActionIcon size={24} aria-label={t('notice.dismiss')} onClick={() => dropNotice(id)}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  )
}
