import { useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import { type RoutingRule, type RuleAct, useActOnRules } from '../../../queries/routing-rules.ts'

export type BulkAct = 'enable' | 'disable' | 'delete'

const opposite = { enable: 'disable', disable: 'enable', delete: 'undelete' } as const satisfies Record<
  BulkAct,
  RuleAct
>
const done = { enable: 'enabled', disable: 'disabled', delete: 'deleted' } as const

interface Done {
  id: number
  text: string
  act: RuleAct
  rules: readonly RoutingRule[]
}

/** Enables, disables and deletes rules, tells what came of it, and takes it back (ADMIN-ROUTES-07, 08). */
export function useRuleActs() {
  const { mutateAsync, isPending } = useActOnRules()
  const [failure, setFailure] = useState<{ id: number; text: string }>()
  const [last, setLast] = useState<Done>()

  async function run(act: RuleAct, rules: readonly RoutingRule[], isUndo = false): Promise<RoutingRule[]> {
    setFailure(undefined)
    const results = await mutateAsync({ act, rules, isUndo }).catch((failure: unknown) =>
      rules.map((rule) => ({ rule, failure, isSwitchedOff: false })),
    )
    const undone = results
      .filter((one) => one.failure)
      .map(({ rule, failure: why }) =>
        t(isUndo && isChanged(why) ? 'routing.undoStale' : 'routing.saveError', { name: rule.name }),
      )
    const off = results
      .filter((one) => one.isSwitchedOff)
      .map(({ rule }) => t('routing.backSwitchedOff', { name: rule.name }))
    const texts = [...undone, ...off]
    if (texts.length > 0) setFailure({ id: Date.now(), text: texts.join(' ') })
    return results.filter((one) => !one.failure).map((one) => one.rule)
  }

  /** @returns false where no rule was to be changed, which is told; what could be undone before can be so still */
  async function act(wanted: BulkAct, rules: readonly RoutingRule[]): Promise<boolean> {
    // rules that are so already stay out, also of the undoing
    const open = rules.filter((one) => wanted === 'delete' || (one.suspended === 1) === (wanted === 'enable'))
    if (open.length === 0 && wanted !== 'delete') {
      setFailure({ id: Date.now(), text: t(`routing.atLeastOne.${wanted}`) })
      return false
    }
    const changed = await run(wanted, open)
    const [first] = changed
    if (!first) {
      setLast(undefined)
      return true
    }
    const text =
      changed.length === 1
        ? t(`routing.${done[wanted]}`, { name: first.name })
        : t(`routing.${done[wanted]}Many`, { count: changed.length })
    setLast({ id: Date.now(), text, act: opposite[wanted], rules: changed })
    return true
  }

  return {
    isBusy: isPending,
    failure,
    done: last,
    act,
    undo: async () => {
      if (last) await run(last.act, last.rules, true)
      setLast(undefined)
    },
    dismiss: () => setLast(undefined),
    dismissFailure: () => setFailure(undefined),
  }
}

/** Whether somebody else changed a rule, deleted it or brought it back. */
function isChanged(failure: unknown): boolean {
  return ['STALE', 'NOT_FOUND'].includes(failureCode(failure))
}
