import { maxTagColors, type TagColor, type TagHue, tagHues, writeTagColors } from '@hilum/contract/tag-colors'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { type LabelKey, t } from '../../../labels/label.ts'
import { IconX } from '../../../ui/icons.ts'
import style from './organisation.module.css'

const names = {
  red: 'organisation.colorRed',
  orange: 'organisation.colorOrange',
  green: 'organisation.colorGreen',
  teal: 'organisation.colorTeal',
  blue: 'organisation.colorBlue',
  purple: 'organisation.colorPurple',
} as const satisfies Readonly<Record<TagHue, LabelKey>>

interface TagColorsFieldProps {
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** Kinds of tags by how they begin, each with its colour. */
export function TagColorsField({ value, fault, onChange }: TagColorsFieldProps) {
  const colors = linesOf(value)
  const put = (next: readonly TagColor[]) => onChange(writeTagColors(next))
  return (
    <div className={style.tagColors} role="group" aria-labelledby="tag-colors">
      <p id="tag-colors" className={style.tagTitle}>
        {t('organisation.tagColors')}
      </p>
      <p className={style.hint}>{t('organisation.tagColorsHelp')}</p>
      {colors.map(({ start, hue }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a beginning is being typed, and may stand twice meanwhile
        <div key={at} className={style.tagColor}>
          <TextInput
            aria-label={t('organisation.tagStartOf', { number: at + 1 })}
            placeholder={t('organisation.tagStart')}
            value={start}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => put(colors.with(at, { start: event.currentTarget.value, hue }))}
          />
          <NativeSelect
            aria-label={t('organisation.tagHue', { start })}
            value={hue}
            data={tagHues.map((one) => ({ value: one, label: t(names[one]) }))}
            onChange={(event) => put(colors.with(at, { start, hue: hueNamed(event.currentTarget.value) }))}
          />
          <span className={style.tagSample} data-tag-hue={hue} aria-hidden="true">
            {start || t('organisation.tagSample')}
          </span>
          <ActionIcon
            aria-label={t('organisation.tagRemove', { start })}
            title={t('organisation.tagRemove', { start })}
            onClick={() => put(colors.toSpliced(at, 1))}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      {fault && (
        <p role="alert" className={style.fault}>
          {fault}
        </p>
      )}
      {colors.length < maxTagColors && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => put([...colors, { start: '', hue: tagHues[colors.length % tagHues.length] ?? 'red' }])}
          >
            {t('organisation.tagAdd')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Lines as they are being written: one without a beginning yet is a line too. */
function linesOf(value: string): TagColor[] {
  if (value === '') return []
  return value.split('\n').map((line) => {
    const at = line.lastIndexOf('=')
    return { start: line.slice(0, Math.max(at, 0)), hue: hueNamed(line.slice(at + 1)) }
  })
}

function hueNamed(name: string): TagHue {
  return tagHues.find((one) => one === name) ?? 'red'
}
