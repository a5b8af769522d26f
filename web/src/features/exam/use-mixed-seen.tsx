import type { Study } from '@hilum/contract/entities/study'
import { Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../../labels/label.ts'

/** Asks whoever gives exams away whose images name several patients to have looked at them. */
export function useMixedSeen(studies: readonly Pick<Study, 'mixed_patients'>[]) {
  const box = useRef<HTMLInputElement>(null)
  const [isTicked, setTicked] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const isMixed = studies.some((one) => one.mixed_patients === 1)
  return {
    isSeen: isMixed && isTicked,
    /** Whether the exams may go; else the tick takes the focus and says what is missing. */
    demand: () => {
      if (!isMixed || isTicked) return true
      setAsked(true)
      box.current?.focus()
      return false
    },
    field: isMixed && (
      <Checkbox
        ref={box}
        size="xs"
        label={t('share.mixedSeen')}
        checked={isTicked}
        error={isAsked && !isTicked && t('share.mixedAsk')}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
    ),
  }
}
