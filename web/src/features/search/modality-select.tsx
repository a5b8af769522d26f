import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { modalities } from '@hilum/contract/modalities'
import { Combobox, InputBase, useCombobox } from '@mantine/core'
import { useId } from 'react'
import { t } from '../../labels/label.ts'
import { isAll } from '../../queries/search-expressions.ts'
import { IconCheck, IconSelector } from '../../ui/icons.ts'
import style from './advanced-search.module.css'

const all = '*'

interface ModalitySelectProps {
  className?: string
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}

/** Any number of modalities, or all (SEARCH-06, SEARCH-17). */
export function ModalitySelect({ className, value, onChange }: ModalitySelectProps) {
  const id = useId()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const toggle = (code: string) => {
    if (code === all) onChange(isAll(value) ? [] : modalities.map((one) => one.code))
    else onChange(value.includes(code) ? value.filter((one) => one !== code) : [...value, code])
  }
  const options = [{ code: all, name: '' }, ...modalities]
  return (
    <Combobox store={box} onOptionSubmit={toggle}>
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          className={className}
          label={t('search.field.modality')}
          labelProps={{ id: `${id}-label` }}
          aria-labelledby={`${id}-label ${id}-value`}
          component="button"
          type="button"
          pointer
          size="xs"
          rightSection={<IconSelector size={14} />}
          rightSectionPointerEvents="none"
          onClick={() => box.toggleDropdown()}
        >
          <span id={`${id}-value`}>{faceOf(value)}</span>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options className={style.options} aria-label={t('search.field.modality')} aria-multiselectable="true">
          {options.map(({ code, name }) => {
            const isChosen = code === all ? isAll(value) : value.includes(code)
            return (
              <Combobox.Option key={code} value={code} aria-selected={isChosen} className={style.option}>
                <IconCheck size={14} className={isChosen ? undefined : style.unchosen} />
                {code === all ? t('search.all') : <b>{code}</b>}
                <span className={style.optionNote}>{name}</span>
              </Combobox.Option>
            )
          })}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function faceOf(value: readonly string[]): string {
  if (value.length === 0) return t('search.all')
  return isAll(value) ? t('search.allSelected') : t('search.selected', { count: value.length })
}
