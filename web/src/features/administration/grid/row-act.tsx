import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'

interface RowActProps {
  label: string
  icon: ComponentType<{ size: number }>
  tabIndex?: 0 | -1
  isOff?: boolean
  isBusy?: boolean
  onAct: () => void
}

/** A button of a row: an icon in every table of administration, its words in a tip and for whoever listens. */
export function RowAct({ label, icon: Icon, tabIndex = 0, isOff = false, isBusy = false, onAct }: RowActProps) {
  return (
    <Tooltip label={label} events={{ hover: true, focus: false, touch: true }}>
      <ActionIcon aria-label={label} tabIndex={tabIndex} disabled={isOff} loading={isBusy} onClick={onAct}>
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
