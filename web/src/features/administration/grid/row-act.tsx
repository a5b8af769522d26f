import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'

interface RowActProps {
  label: string
  icon: ComponentType<{ size: number }>
  tabIndex?: 0 | -1
  isOff?: boolean
  /** Why the button is off, shown in its tip; off without one by `isOff`. */
  offReason?: string | undefined
  isBusy?: boolean
  onAct: () => void
}

/** A button of a row: an icon in every table of administration, its words in a tip and for whoever listens. */
export function RowAct({
  label,
  icon: Icon,
  tabIndex = 0,
  isOff = false,
  offReason,
  isBusy = false,
  onAct,
}: RowActProps) {
  // a disabled button shows no tip
  const off = offReason
    ? { 'aria-disabled': true, 'aria-description': offReason, 'data-disabled': true }
    : { disabled: isOff, onClick: onAct }
  return (
    <Tooltip label={offReason ? `${label}. ${offReason}` : label} events={{ hover: true, focus: false, touch: true }}>
      <ActionIcon aria-label={label} tabIndex={tabIndex} loading={isBusy} {...off}>
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
