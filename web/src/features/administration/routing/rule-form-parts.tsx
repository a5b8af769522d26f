import {
  conditionFields,
  conditionOperators,
  conditionTransforms,
  delayFields,
  maxConditionValue,
  maxRouteActions,
  maxRouteConditions,
  maxRouteDelaySeconds,
  routeTriggers,
  weekdays,
} from '@hilum/contract/routing-rule'
import { routeAdd } from '@hilum/contract/calls/route'
import { ActionIcon, Button, Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { nameWithEmail } from '../../../format/name-with-email.ts'
import { timeZones } from '../../../format/time-zones.ts'
import { t } from '../../../labels/label.ts'
import type { RuleTargets } from '../../../queries/routing-rules.ts'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { partOf, useMayCall } from '../../../session/use-may.ts'
import { byCode, type DraftCondition, hasAge, type LateStart, type RuleDraft } from './rule-draft.ts'
import { operatorText, ruleFieldText, word, workStatuses } from './rule-words.ts'
import style from './routing.module.css'

interface PartProps {
  draft: RuleDraft
  targets: RuleTargets
  put: (part: Partial<RuleDraft>) => void
}

/** Triggers of a rule, and the roles that may start it by hand. */
export function WhenFields({ draft, targets, put }: PartProps) {
  const { manualRoles } = draft
  const gone = manualRoles.filter((uuid) => !targets.roles.some((one) => one.uuid === uuid))
  const roles = [...targets.roles, ...gone.map((uuid) => ({ uuid, name: t('routing.gone') }))]
  return (
    <fieldset className={style.part}>
      <legend>{t('routing.whenTitle')}</legend>
      <div className={style.checks}>
        {routeTriggers.map((flag) => (
          <Checkbox
            key={flag}
            size="xs"
            label={word(`routing.${flag}`)}
            checked={draft.when[flag]}
            onChange={(event) => put({ when: { ...draft.when, [flag]: event.currentTarget.checked } })}
          />
        ))}
      </div>
      {draft.when.on_manual_route && roles.length > 0 && (
        <div role="group" className={style.roles} aria-label={t('routing.manualRoles')}>
          <p className={style.hint}>{t('routing.manualRolesHint')}</p>
          <div className={style.checks}>
            {roles.map(({ uuid, name }) => (
              <Checkbox
                key={uuid}
                size="xs"
                label={name}
                checked={manualRoles.includes(uuid)}
                onChange={(event) => {
                  const others = manualRoles.filter((one) => one !== uuid)
                  put({ manualRoles: event.currentTarget.checked ? [...others, uuid] : others })
                }}
              />
            ))}
          </div>
        </div>
      )}
      <Checkbox
        size="xs"
        label={t('routing.beforeApproval')}
        description={t('routing.beforeApprovalHint')}
        checked={draft.isBeforeApproval}
        onChange={(event) => put({ isBeforeApproval: event.currentTarget.checked })}
      />
      <NativeSelect
        size="xs"
        label={t('routing.late')}
        description={t('routing.lateHint')}
        value={draft.lateImages}
        data={lateImages
          .filter((one) => one !== 'never' || draft.lateImages === 'never')
          .map((one) => ({ value: one, label: t(`routing.late.${one}`) }))}
        onChange={(event) => put({ lateImages: event.currentTarget.value as LateStart })} // one of the options above
      />
    </fieldset>
  )
}

const lateImages = ['again', 'not', 'only', 'never'] as const satisfies readonly LateStart[]

/** How long the actions wait: after the rule looked at a study, and after a time of the study. */
export function DelayFields({ draft, put }: Omit<PartProps, 'targets'>) {
  const minutes = (field: 'minutes' | 'afterMinutes') => ({
    value: draft[field],
    min: 0,
    max: maxRouteDelaySeconds / 60,
    allowDecimal: false,
    onChange: (typed: number | string) => put({ [field]: Number(typed) }),
  })
  return (
    <>
      <NumberInput {...minutes('minutes')} label={t('routing.delay')} description={t('routing.delayHint')} />
      <NativeSelect
        label={t('routing.after')}
        description={t('routing.afterHint')}
        value={draft.after}
        data={(['', ...delayFields] as const).map((one) => ({
          value: one,
          label: t(`routing.after.${one || 'none'}`),
        }))}
        onChange={(event) => put({ after: event.currentTarget.value as RuleDraft['after'] })} // one of the options above
      />
      {draft.after && (
        <NumberInput
          {...minutes('afterMinutes')}
          label={t('routing.afterMinutes')}
          description={t('routing.afterMinutesHint')}
        />
      )}
    </>
  )
}

/** The places whose studies the rule looks at. */
export function PlaceFields({ draft, targets, put }: PartProps) {
  const rest = targets.places.filter((one) => !draft.places.includes(one.uuid))
  const nameOf = (uuid: string) => targets.places.find((one) => one.uuid === uuid)?.name ?? t('routing.gone')
  return (
    <fieldset className={style.part}>
      <legend>{t('routing.places')}</legend>
      {draft.places.map((uuid) => (
        <div key={uuid} className={style.choice}>
          <span>{nameOf(uuid)}</span>
          <Remove
            label={t('routing.removePlace', { name: nameOf(uuid) })}
            onRemove={() => put({ places: draft.places.filter((one) => one !== uuid) })}
          />
        </div>
      ))}
      {rest.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t('routing.addPlace')}
          value=""
          data={[{ value: '', label: t('routing.addPlace') }, ...rest.map(optionOf)]}
          onChange={(event) =>
            event.currentTarget.value && put({ places: [...draft.places, event.currentTarget.value] })
          }
        />
      )}
    </fieldset>
  )
}

export function ConditionFields({ draft, targets, put }: PartProps) {
  const { conditions } = draft
  const change = (at: number, part: Partial<DraftCondition>) =>
    put({ conditions: conditions.map((one, index) => (index === at ? { ...one, ...part } : one)) })
  const fields = [
    ...Object.keys(conditionFields),
    ...targets.customfields.map((one) => `customfield-${one.uuid}`),
  ].flatMap((lv) => [
    { value: `${lv}|`, label: ruleFieldText(lv, targets) },
    ...(hasAge(lv) ? conditionTransforms : []).map((one) => ({
      value: `${lv}|${one}`,
      label: t(`routing.transform.${one}`, { field: ruleFieldText(lv, targets) }),
    })),
  ])
  return (
    <fieldset className={style.part}>
      <legend>{t('routing.conditionsTitle')}</legend>
      {conditions.length === 0 && <p className={style.hint}>{t('routing.noConditions')}</p>}
      {conditions.length > 1 && (
        <NativeSelect
          size="xs"
          label={t('routing.match')}
          value={draft.isAny ? 'any' : 'all'}
          data={[
            { value: 'all', label: t('routing.matchAll') },
            { value: 'any', label: t('routing.matchAny') },
          ]}
          onChange={(event) => put({ isAny: event.currentTarget.value === 'any' })}
        />
      )}
      {conditions.map(({ lv, op, value, transform }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two conditions may read alike
        <div key={at} className={style.row}>
          <NativeSelect
            size="xs"
            aria-label={t('routing.conditionField', { number: at + 1 })}
            value={`${lv}|${transform}`}
            data={fields}
            onChange={(event) => {
              const [field = '', age = ''] = event.currentTarget.value.split('|')
              change(at, { lv: field, transform: age })
            }}
          />
          <NativeSelect
            size="xs"
            aria-label={t('routing.conditionOp', { number: at + 1 })}
            value={op}
            data={conditionOperators.map((one) => ({ value: one, label: operatorText(lv, one, transform) }))}
            onChange={(event) => change(at, { op: event.currentTarget.value })}
          />
          <ConditionValue
            label={t('routing.conditionValue', { number: at + 1 })}
            condition={{ lv, op, value, transform }}
            onChange={(next) => change(at, { value: next })}
          />
          <Remove
            label={t('routing.removeCondition', { number: at + 1 })}
            onRemove={() => put({ conditions: conditions.filter((_, index) => index !== at) })}
          />
        </div>
      ))}
      {conditions.length < maxRouteConditions && (
        <Add
          label={t('routing.addCondition')}
          onAdd={() => put({ conditions: [...conditions, { lv: 'modality', op: 'equals', value: '', transform: '' }] })}
        />
      )}
    </fieldset>
  )
}

interface ConditionValueProps {
  label: string
  condition: DraftCondition
  onChange: (value: string) => void
}

/** The value that a field is compared with: of the work status one of its words, of all else a text. */
function ConditionValue({ label, condition: { lv, op, value }, onChange }: ConditionValueProps) {
  if (lv === 'study_status' && (op === 'equals' || op === 'not_equals')) {
    const isKnown = workStatuses.some((one) => one === value)
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={value}
        data={[
          ...(isKnown ? [] : [{ value, label: value || t('routing.choose') }]),
          ...workStatuses.map((one) => ({ value: one, label: t(`work.${one}`) })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={op === 'in' ? t('routing.listHint') : ''}
      value={value}
      maxLength={maxConditionValue}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function ActionFields({ draft, targets, put }: PartProps) {
  const { actions } = draft
  // a rule that has one already shows it
  const mayByCode = useMayCall(partOf(routeAdd, 'share_code')) || actions.some((one) => one.startsWith(byCode))
  const groups = targets.places.filter((one) => one.takes_shares === 1 && !draft.places.includes(one.uuid))
  const known = [
    { group: t('routing.groups'), items: groups.map((one) => ({ value: `namespace:${one.uuid}`, label: one.name })) },
    {
      group: t('routing.people'),
      items: targets.people.map((one) => ({
        value: `namespace:${one.uuid}`,
        label: nameWithEmail(one.name, one.email),
      })),
    },
    {
      group: t('routing.hooks'),
      items: targets.webhooks.map((one) => ({ value: `webhook:${one.uuid}`, label: one.name })),
    },
    {
      group: t('routing.destinations'),
      items: targets.destinations.map((one) => ({ value: `destination:${one.uuid}`, label: one.name })),
    },
    { group: t('routing.codes'), items: mayByCode ? [{ value: byCode, label: t('routing.byCode') }] : [] },
  ].filter((one) => one.items.length > 0)
  const chosenOf = (action: string) => (action.startsWith(byCode) ? byCode : action)
  const putAt = (at: number, chosen: string) =>
    put({ actions: actions.map((one, index) => (index === at ? chosen : one)) })
  const values = new Set(known.flatMap((one) => one.items.map((item) => item.value)))
  return (
    <fieldset className={style.part}>
      <legend>{t('routing.actionsTitle')}</legend>
      {actions.map((action, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- several may be empty
        <div key={at} className={style.choice}>
          <NativeSelect
            size="xs"
            aria-label={t('routing.action', { number: at + 1 })}
            value={chosenOf(action)}
            data={[
              { value: '', label: t('routing.choose') },
              ...(action === '' || values.has(chosenOf(action)) ? [] : [{ value: action, label: t('routing.gone') }]),
              ...known,
            ]}
            onChange={(event) => putAt(at, event.currentTarget.value)}
          />
          {action.startsWith(byCode) && (
            <TextInput
              size="xs"
              aria-label={t('routing.code', { number: at + 1 })}
              placeholder={t('routing.codeHint')}
              value={action.slice(byCode.length)}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => putAt(at, `${byCode}${event.currentTarget.value}`)}
            />
          )}
          <Remove
            label={t('routing.removeAction', { number: at + 1 })}
            onRemove={() => put({ actions: actions.filter((_, index) => index !== at) })}
          />
        </div>
      ))}
      {actions.length < maxRouteActions && (
        <Add label={t('routing.addAction')} onAdd={() => put({ actions: [...actions, ''] })} />
      )}
    </fieldset>
  )
}

export function HourFields({ draft, put }: Omit<PartProps, 'targets'>) {
  const zones = timeZones.includes(draft.zone) ? timeZones : [draft.zone, ...timeZones]
  const text = (field: 'start' | 'stop') => ({
    size: 'xs',
    label: t(`routing.${field}`),
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  return (
    <fieldset className={style.part} data-bare={draft.hasHours ? undefined : true}>
      <legend>
        <Checkbox
          size="xs"
          label={t('routing.schedule')}
          checked={draft.hasHours}
          onChange={(event) => put({ hasHours: event.currentTarget.checked })}
        />
      </legend>
      {draft.hasHours && (
        <>
          <div className={style.checks}>
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                size="xs"
                label={t(`routing.day.${day}`)}
                checked={draft.days.includes(day)}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked
                  put({ days: weekdays.filter((one) => (one === day ? isOn : draft.days.includes(one))) })
                }}
              />
            ))}
          </div>
          <div className={style.three}>
            <TextInput {...text('start')} type="time" />
            <TextInput {...text('stop')} type="time" />
            <NativeSelect
              size="xs"
              label={t('routing.zone')}
              value={draft.zone}
              data={[...zones]}
              onChange={(event) => put({ zone: event.currentTarget.value })}
            />
          </div>
          <Checkbox
            size="xs"
            label={t('routing.outsideHours')}
            checked={draft.isOutside}
            onChange={(event) => put({ isOutside: event.currentTarget.checked })}
          />
          <Checkbox
            size="xs"
            label={t('routing.tillSchedule')}
            checked={draft.waits}
            onChange={(event) => put({ waits: event.currentTarget.checked })}
          />
        </>
      )}
    </fieldset>
  )
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <ActionIcon aria-label={label} onClick={onRemove}>
      <IconX size={15} />
    </ActionIcon>
  )
}

function Add({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <div>
      <Button variant="default" size="compact-xs" leftSection={<IconPlus size={13} />} onClick={onAdd}>
        {label}
      </Button>
    </div>
  )
}

function optionOf({ uuid, name }: { uuid: string; name: string }) {
  return { value: uuid, label: name }
}
