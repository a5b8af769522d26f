import { NativeSelect } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { monthNames } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import style from './link.module.css'

interface BirthDateFieldProps {
  /** Of the day, which is typed first. */
  field: RefObject<HTMLInputElement | null>
  error: string | false
  /** The date with the year first, or nothing while a part of it is missing. */
  onChange: (date: string) => void
}

/** Day, month by its name, and year: no order of figures has to be guessed. */
export function BirthDateField({ field, error, onChange }: BirthDateFieldProps) {
  const [parts, setParts] = useState({ day: '', month: '', year: '' })
  const put = (part: Partial<typeof parts>) => {
    const next = { ...parts, ...part }
    setParts(next)
    onChange(dateOf(next))
  }
  return (
    <fieldset className={style.birthDate}>
      <legend>{t('link.birthDate')}</legend>
      <div className={style.parts}>
        <TextInput
          ref={field}
          autoFocus
          size="sm"
          label={t('link.day')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          value={parts.day}
          error={Boolean(error)}
          onChange={(event) => put({ day: event.currentTarget.value })}
        />
        <NativeSelect
          size="sm"
          label={t('link.month')}
          value={parts.month}
          error={Boolean(error)}
          data={[{ value: '', label: '' }, ...monthNames.map((label, at) => ({ value: String(at + 1), label }))]}
          onChange={(event) => put({ month: event.currentTarget.value })}
        />
        <TextInput
          size="sm"
          label={t('link.year')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={parts.year}
          error={Boolean(error)}
          onChange={(event) => put({ year: event.currentTarget.value })}
        />
      </div>
      {error && (
        <p className={style.fault} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function dateOf({ day, month, year }: { day: string; month: string; year: string }): string {
  const isWhole = /^\d{1,2}$/.test(day.trim()) && month !== '' && /^\d{4}$/.test(year.trim())
  return isWhole ? `${year.trim()}-${month.padStart(2, '0')}-${day.trim().padStart(2, '0')}` : ''
}
