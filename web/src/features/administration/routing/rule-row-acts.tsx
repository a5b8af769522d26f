import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'
import { t } from '../../../labels/label.ts'
import type { RoutingRule } from '../../../queries/routing-rules.ts'
import { IconBan, IconCheck, IconChecklist, IconEdit, IconTrash } from '../../../ui/icons.ts'

interface Handlers {
  onRuns: (rule: RoutingRule) => void
  /** Left out where the person may view rules alone. */
  onToggle?: (rule: RoutingRule) => void
  onEdit?: (rule: RoutingRule) => void
  onDelete?: (rule: RoutingRule) => void
}

/** The buttons of a row (ADMIN-ROUTES-05). */
export function ruleRowActs({ onToggle, onEdit, onRuns, onDelete }: Handlers) {
  return (rule: RoutingRule, tabIndex: 0 | -1) => {
    const { name } = rule
    const isOff = rule.suspended === 1
    const act = (label: string, Icon: ComponentType<{ size: number }>, handle?: (rule: RoutingRule) => void) =>
      handle && (
        <Tooltip label={label}>
          <ActionIcon aria-label={label} tabIndex={tabIndex} onClick={() => handle(rule)}>
            <Icon size={17} />
          </ActionIcon>
        </Tooltip>
      )
    return (
      <>
        {act(t(isOff ? 'routing.enableOne' : 'routing.disableOne', { name }), isOff ? IconCheck : IconBan, onToggle)}
        {act(t('routing.editOne', { name }), IconEdit, onEdit)}
        {act(t('routing.runsOne', { name }), IconChecklist, onRuns)}
        {act(t('routing.deleteOne', { name }), IconTrash, onDelete)}
      </>
    )
  }
}
