import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  type RoutingRule,
  routingRuleQuery,
  type RuleTargets,
  ruleTargetsQuery,
  useSaveRule,
} from '../../../queries/routing-rules.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { ActionFields, ConditionFields, DelayFields, HourFields, PlaceFields, WhenFields } from './rule-form-parts.tsx'
import { draftFault, draftOf, type RuleDraft, sentenceOf, sentOf } from './rule-draft.ts'
import { isOfValues, ruleFaultText } from './rule-fault.ts'
import { RuleTest } from './rule-test.tsx'
import { otherwiseSet } from './rule-words.ts'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { titleOfForm } from '../title-of-form.ts'
import style from './routing.module.css'

interface RuleFormProps {
  /** Undefined for a new rule. */
  uuid: string | undefined
  onSaved: (name: string) => void
  onClose: () => void
}

/** A rule to make or to change: when, conditions, actions, delay and hours, said in a sentence and tried before it is saved. */
export function RuleForm({ uuid, onSaved, onClose }: RuleFormProps) {
  const { account } = useEstablished()
  const rule = useQuery({ ...routingRuleQuery(uuid ?? ''), enabled: uuid !== undefined })
  const targets = useQuery(ruleTargetsQuery(account.uuid))
  const isFailed = rule.isLoadingError || targets.isLoadingError
  const isLoaded = targets.data !== undefined && (uuid === undefined || rule.data !== undefined)
  return (
    <Dialog
      title={titleOfForm(t(uuid ? 'routing.editTitle' : 'routing.newTitle'), rule.data?.name)}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      {isFailed && (
        <FailedBanner
          retry={t('button.retry')}
          onRetry={() => void (rule.isLoadingError ? rule.refetch() : targets.refetch())}
        >
          {t('routing.loadFailed')}
        </FailedBanner>
      )}
      {!isFailed && !isLoaded && <LoadingState label={t('loading')} />}
      {!isFailed && isLoaded && targets.data && (
        <Fields rule={rule.data} targets={targets.data} onSaved={onSaved} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FieldsProps extends Omit<RuleFormProps, 'uuid'> {
  rule: RoutingRule | undefined
  targets: RuleTargets
}

function Fields({ rule: read, targets, onSaved, onClose }: FieldsProps) {
  const { user } = useEstablished()
  const save = useSaveRule()
  // the form as it was opened: a reading in the background would let it save over a change that nobody saw
  const [rule] = useState(read)
  const [draft, setDraft] = useState<RuleDraft>(() => draftOf(rule, user.time_zone || 'UTC'))
  const [fault, setFault] = useState('')
  const put = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part })
    setFault('')
    if (save.error instanceof ApiFailure && isOfValues(save.error)) save.reset()
  }
  const send = (version: number | undefined) => {
    const name = draft.name.trim()
    const { row_version: _read, ...fields } = sentOf(draft, rule)
    save.mutate(
      { ...fields, ...(version === undefined ? {} : { row_version: version }) },
      { onSuccess: () => onSaved(name) },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const found = draftFault(draft)
    setFault(found ?? '')
    save.reset()
    if (!found) send(rule?.row_version)
  }
  const handleSaveMine = () => {
    const found = draftFault(draft)
    setFault(found ?? '')
    if (!found) send(undefined)
  }
  return (
    <form
      className={style.form}
      aria-label={t(rule ? 'routing.editTitle' : 'routing.newTitle')}
      onSubmit={handleSubmit}
      noValidate
    >
      <TextInput
        label={t('routing.name')}
        value={draft.name}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <PlaceFields draft={draft} targets={targets} put={put} />
      <WhenFields draft={draft} targets={targets} put={put} />
      <ConditionFields draft={draft} targets={targets} put={put} />
      <ActionFields draft={draft} targets={targets} put={put} />
      <DelayFields draft={draft} put={put} />
      <HourFields draft={draft} put={put} />
      <p className={style.sentence} role="status">
        {sentenceOf(draft, targets)}
      </p>
      {rule && <OtherFields rule={rule} />}
      <RuleTest draft={draft} rule={rule} targets={targets} />
      <Checkbox
        size="xs"
        label={t('routing.saveSwitchedOn')}
        checked={draft.isOn}
        onChange={(event) => put({ isOn: event.currentTarget.checked })}
      />
      {fault && <Banner tone="failed">{fault}</Banner>}
      {save.isError && failureCode(save.error) !== 'STALE' && (
        <Banner tone="failed">
          {t('routing.saveError', { name: draft.name.trim() })}{' '}
          {save.error instanceof ApiFailure && ruleFaultText(save.error)}
        </Banner>
      )}
      <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={handleSaveMine} />
      <FormButtons isSaving={save.isPending} onCancel={onClose} />
    </form>
  )
}

/** Parts of a rule that programs set, in words; saving leaves them as they are. */
function OtherFields({ rule }: { rule: RoutingRule }) {
  const texts = otherwiseSet(rule)
  if (texts.length === 0) return undefined
  return (
    <div className={style.hint}>
      {t('routing.otherFields')}
      <ul className={style.lines}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
