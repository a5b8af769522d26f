import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'

interface RowActProps {
  label: string
  icon: ComponentType<{ size: number }>
  tabIndex: 0 | -1
  isOff?: boolean
  onAct: () => void
}

/** A button of a row of a grid. */
export function RowAct({ label, icon: Icon, tabIndex, isOff = false, onAct }: RowActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} tabIndex={tabIndex} disabled={isOff} onClick={onAct}>
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
