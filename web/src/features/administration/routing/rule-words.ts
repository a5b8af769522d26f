import type { RoutingRule } from '@hilum/contract/calls/route'
import { conditionFields, customFieldOf, isOrdering, kindOfField, routeTriggers } from '@hilum/contract/routing-rule'
import { type LabelKey, t } from '../../../labels/label.ts'
import { gateFieldText } from '../gate-field-text.ts'

type Condition = RoutingRule['conditions'][number]
type Action = RoutingRule['actions'][number]
interface NamedFields {
  customfields: readonly { uuid: string; name: string; gate_key: string }[]
}

/** A text whose key has no slots. */
export function word(key: string): string {
  return t(key as 'routing.and' & LabelKey)
}

export function ruleFieldText(lv: string, named: NamedFields | undefined): string {
  const custom = customFieldOf(lv)
  if (custom && !named) return t('routing.ownField')
  const found = named?.customfields.find((one) => one.uuid === custom)
  if (custom) return found ? gateFieldText(found.gate_key) || found.name : t('routing.gone')
  return Object.hasOwn(conditionFields, lv) ? word(`routing.field.${lv}`) : lv
}

/** Left value, operator and right value of a condition in words. */
export function conditionText({ lv, op, rv, lv_transform }: Condition, named: NamedFields | undefined): string {
  const plain = ruleFieldText(lv, named)
  const field = lv_transform
    ? t(`routing.transform.${lv_transform}` as 'routing.transform.years_old', { field: plain })
    : plain
  const values = (Array.isArray(rv) ? rv : [rv]).map((one) => (lv_transform ? one : valueText(lv, one)))
  const operator = operatorText(lv, op, lv_transform)
  return t('routing.condition', { field, operator, value: values.filter(Boolean).join(', ') || t('routing.blank') })
}

/** A comparison in words: days are before and after each other, all else is more or less. */
export function operatorText(lv: string, op: string, transform?: string): string {
  const kind = kindOfField(lv)
  const isDay = !transform && (kind === 'date' || kind === 'stamp')
  return word(isDay && isOrdering(op) ? `routing.opDay.${op}` : `routing.op.${op}`)
}

/** The value of a field in words, as people read it elsewhere. */
function valueText(lv: string, value: string): string {
  if (lv === 'study_status') return statusText(value.trim().toLowerCase())
  const [, count, unit = 'Y'] = /^(\d{1,3})([YMWD])?$/i.exec(value) ?? []
  if (lv === 'patient_age' && count)
    return t(ageUnits[unit.toUpperCase() as keyof typeof ageUnits], { count: Number(count) }) // by the form
  return kindOfField(lv) === 'date' ? value.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') : value
}

const ageUnits = { Y: 'age.years', M: 'age.months', W: 'age.weeks', D: 'age.days' } as const

/** How far the work on an exam is, by the values that conditions compare with. */
export const workStatuses = ['new', 'in_progress', 'done'] as const
function statusText(value: string): string {
  const known = workStatuses.find((one) => one === value)
  return known ? t(`work.${known}`) : value
}

export function conditionsText(
  rule: Pick<RoutingRule, 'conditions' | 'options'>,
  named: NamedFields | undefined,
): string[] {
  const between = rule.options.match_any === 1 ? t('routing.or') : t('routing.and')
  return rule.conditions.map((one, at) => `${at > 0 ? `${between} ` : ''}${conditionText(one, named)}`)
}

export function actionText(action: Action): string {
  if (action.share_code) return codeText(action.share_code, action.name)
  const name = action.name || t('routing.gone')
  if (action.webhook) return t('routing.callHook', { name })
  return action.namespace ? t('routing.shareWith', { name }) : t('routing.push', { name })
}

/** A code that was typed names nobody before the rule is saved. */
function codeText(code: string, name: string): string {
  return name ? t('routing.shareByCodeWith', { code, name }) : t('routing.shareByCode', { code })
}

/** Parts of a rule that have no field of the form, in words. */
export function otherwiseSet(rule: RoutingRule): string[] {
  return rule.on_thin === 1 ? [t('routing.onThin')] : []
}

/** When a rule looks at studies, by its flags. */
export function whenTexts(rule: Pick<RoutingRule, (typeof routeTriggers)[number]>): string[] {
  return routeTriggers.filter((flag) => rule[flag] === 1).map((flag) => word(`routing.${flag}`))
}
