import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../../../labels/label.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from './routing.module.css'

/** ADMIN-ROUTES-07, ADMIN-ROUTES-08, CONST */
export const ruleNoticeMs = 15_000

/** Tells of an act on rules for a while, and takes it back. */
export function RuleNotice({
  text,
  onUndo,
  onDismiss,
}: {
  text: string
  onUndo: () => Promise<void>
  onDismiss: () => void
}) {
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    const timer = setTimeout(() => dismiss(), ruleNoticeMs)
    return () => clearTimeout(timer)
  }, [])
  const buttons = (
    <span className={style.noticeButtons}>
      <Button variant="default" size="compact-xs" onClick={() => void onUndo()}>
        {t('routing.undo')}
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={onDismiss}>
        {t('routing.dismiss')}
      </Button>
    </span>
  )
  return (
    <Banner tone="completed" action={buttons}>
      {text}
    </Banner>
  )
}
