import { ActionIcon, Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { t } from '../../../labels/label.ts'
import type { RoutingRule, RuleTargets } from '../../../queries/routing-rules.ts'
import type { GridColumn } from '../../../ui/data-grid.tsx'
import { IconSelector } from '../../../ui/icons.ts'
import { actionText, conditionsText, whenTexts } from './rule-words.ts'
import style from './routing.module.css'

/** ADMIN-ROUTES-02 */
const shownPlaces = 10
const dragged = 'application/x-routing-rule'

interface Given {
  targets: RuleTargets | undefined
  /** Undefined where the rows do not stand in their order, or may not be moved. */
  onMove: { to: (uuid: string, sequence: number) => void; by: (rule: RoutingRule, by: number) => void } | undefined
  /** All of a rule in few columns, where a window is too narrow for one of each part. */
  isNarrow: boolean
}

/** ADMIN-ROUTES-01 */
export function ruleGridColumns(given: Given): GridColumn<RoutingRule>[] {
  const { targets, onMove, isNarrow } = given
  const parts: GridColumn<RoutingRule>[] = [
    {
      key: 'when',
      title: t('routing.when'),
      cell: (rule) => <Lines texts={whenTexts(rule)} none={t('routing.never')} />,
    },
    {
      key: 'conditions',
      title: t('routing.conditions'),
      cell: (rule) => <Lines texts={conditionsText(rule, targets)} none={t('routing.every')} />,
    },
    {
      key: 'actions',
      title: t('routing.actions'),
      cell: (rule) => <Lines texts={rule.actions.map(actionText)} none={t('routing.doesNothing')} />,
    },
  ]
  return [
    {
      key: 'order',
      isNarrow: true,
      title: t('routing.order'),
      sort: 'sequence',
      cell: (rule) => (onMove ? <Handle rule={rule} onMove={onMove} /> : rule.sequence),
    },
    {
      key: 'name',
      title: t('routing.name'),
      sort: 'name',
      isName: true,
      cell: (rule) => (isNarrow ? <Named rule={rule} /> : rule.name),
    },
    { key: 'for', title: t('routing.for'), cell: (rule) => <Places rule={rule} /> },
    ...(isNarrow
      ? [{ key: 'does', title: t('routing.does'), cell: (rule: RoutingRule) => <Parts rule={rule} parts={parts} /> }]
      : [...parts, stateColumn]),
  ]
}

const stateColumn: GridColumn<RoutingRule> = {
  key: 'disabled',
  title: t('routing.disabledColumn'),
  sort: 'suspended',
  cell: (rule) => <State rule={rule} />,
}

function State({ rule }: { rule: RoutingRule }) {
  return rule.suspended === 1 ? <span className={style.mark}>{t('routing.disabledMark')}</span> : ''
}

function Named({ rule }: { rule: RoutingRule }) {
  return (
    <span className={style.named}>
      {rule.name} <State rule={rule} />
    </span>
  )
}

function Parts({ rule, parts }: { rule: RoutingRule; parts: readonly GridColumn<RoutingRule>[] }) {
  return (
    <dl className={style.parts}>
      {parts.map(({ key, title, cell }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>{cell(rule)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Lines({ texts, none }: { texts: readonly string[]; none: string }) {
  if (texts.length === 0) return <span className={style.none}>{none}</span>
  return (
    <ul className={style.lines}>
      {texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two lines may read alike
        <li key={at}>{wholeDays(text)}</li>
      ))}
    </ul>
  )
}

/** A text whose days stay on one line; a browser breaks them at their hyphens. */
function wholeDays(text: string): ReactNode {
  const parts = text.split(/(\d{4}-\d\d-\d\d)/)
  if (parts.length === 1) return text
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- two days may be the same
      <span key={at} className={style.day}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}

function Places({ rule }: { rule: RoutingRule }) {
  const [isWhole, setIsWhole] = useState(false)
  const names = rule.namespaces.map((one) => one.name || t('routing.gone'))
  const rest = names.length - shownPlaces
  return (
    <>
      <Lines texts={isWhole ? names : names.slice(0, shownPlaces)} none="" />
      {rest > 0 && (
        <Button variant="subtle" size="compact-xs" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('routing.less') : t('routing.more', { count: rest })}
        </Button>
      )}
    </>
  )
}

/** Takes a rule to another place in the order, by drag onto another row's handle or by the arrow keys. */
function Handle({ rule, onMove }: { rule: RoutingRule; onMove: NonNullable<Given['onMove']> }) {
  const [isOver, setIsOver] = useState(false)
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove.by(rule, by)
  }
  return (
    <ActionIcon
      variant="subtle"
      className={style.handle}
      data-over={isOver}
      aria-label={t('routing.dragOne', { name: rule.name })}
      draggable
      onKeyDown={handleKeyDown}
      onDragStart={(event) => event.dataTransfer.setData(dragged, rule.uuid)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragged)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const uuid = event.dataTransfer.getData(dragged)
        if (uuid && uuid !== rule.uuid) onMove.to(uuid, rule.sequence)
      }}
    >
      <IconSelector size={16} />
    </ActionIcon>
  )
}
