import { auditActs, auditKinds } from '@hilum/contract/audit-acts'
import { Button, NativeSelect } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { actText, type AuditFilters, kindText, noAuditFilters } from '../../../queries/audit.ts'
import style from './audit.module.css'

interface AuditFilterProps {
  filters: AuditFilters
  study: string
  onChange: (filters: AuditFilters) => void
  onStudy: (text: string) => void
}

/** Fields to search the audit by; each change is in force at once. */
export function AuditFilter({ filters, study, onChange, onStudy }: AuditFilterProps) {
  const put = (field: keyof AuditFilters) => (event: { currentTarget: { value: string } }) =>
    onChange({ ...filters, [field]: event.currentTarget.value })
  return (
    <form className={style.filter} aria-label={t('audit.filterForm')} onSubmit={(event) => event.preventDefault()}>
      <TextInput
        label={t('audit.who')}
        value={filters.who}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={put('who')}
      />
      <TextInput
        label={t('audit.study')}
        placeholder={t('audit.studyHelp')}
        value={study}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onStudy(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('audit.act')}
        value={filters.act}
        data={[{ value: '', label: t('audit.anyAct') }, ...optionsOf(auditActs, actText)]}
        onChange={put('act')}
      />
      <NativeSelect
        label={t('audit.kind')}
        value={filters.kind}
        data={[{ value: '', label: t('audit.anyKind') }, ...optionsOf(auditKinds, kindText)]}
        onChange={put('kind')}
      />
      <TextInput type="date" label={t('audit.from')} value={filters.from} onChange={put('from')} />
      <TextInput type="date" label={t('audit.to')} value={filters.to} onChange={put('to')} />
      <Button
        variant="default"
        onClick={() => {
          onChange(noAuditFilters)
          onStudy('')
        }}
      >
        {t('audit.clear')}
      </Button>
    </form>
  )
}

function optionsOf(values: readonly string[], textOf: (value: string) => string) {
  return values.map((value) => ({ value, label: textOf(value) })).toSorted((a, b) => a.label.localeCompare(b.label))
}
