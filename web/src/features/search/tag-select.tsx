import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { hasTagName, readTypedTag } from '../../format/tag-name.ts'
import { t } from '../../labels/label.ts'
import { tagSuggestionsQuery } from '../../queries/tag-suggestions.ts'
import { IconCheck } from '../../ui/icons.ts'
import style from './advanced-search.module.css'

/** The longer delay of SEARCH-09 */
const askAfterMs = 500

interface TagSelectProps {
  className?: string
  value: readonly string[]
  onChange: (value: readonly string[]) => void
  /** How many tags show before they are only counted: 3 in the search (SEARCH-07), 2 elsewhere (TAG-04). */
  shown: number
}

/** Tags, written or taken from those in use (TAG-02). */
export function TagSelect({ className, value, onChange, shown }: TagSelectProps) {
  const [typed, setTyped] = useState('')
  const text = readTypedTag(typed)
  const [asked] = useDebouncedValue(text, askAfterMs)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { data: known = [] } = useQuery({ ...tagSuggestionsQuery(asked), enabled: box.dropdownOpened })
  const lower = text.toLowerCase()
  // Chosen ones stay in the list, as this is where they can be taken off once they are only counted.
  const options = [...value, ...known.filter((tag) => !hasTagName(value, tag))].filter((tag) =>
    tag.toLowerCase().includes(lower),
  )
  const toggle = (tag: string) => {
    onChange(value.includes(tag) ? value.filter((one) => one !== tag) : [...value, tag])
    setTyped('')
  }
  /** Typed text counts once the field is left, as by the press of Search. */
  const handleBlur = () => {
    box.closeDropdown()
    setTyped('')
    if (text && !hasTagName(value, text)) onChange([...value, text])
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text && box.selectedOptionIndex === -1) {
      event.preventDefault()
      if (!hasTagName(value, text)) onChange([...value, text])
      setTyped('')
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  return (
    <Combobox store={box} onOptionSubmit={toggle}>
      <Combobox.DropdownTarget>
        <PillsInput className={className} size="xs" label={t('search.field.tags')} onClick={() => box.openDropdown()}>
          <Pill.Group size="xs">
            {value.length > shown ? (
              <span className={style.counted}>{t('search.selected', { count: value.length })}</span>
            ) : (
              value.map((tag) => (
                <Pill
                  key={tag}
                  withRemoveButton
                  removeButtonProps={{
                    'aria-label': t('search.removeTag', { tag }),
                    'aria-hidden': false,
                    tabIndex: 0,
                  }}
                  onRemove={() => toggle(tag)}
                >
                  {tag}
                </Pill>
              ))
            )}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                value={typed}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  box.openDropdown()
                }}
                onFocus={() => box.openDropdown()}
                onBlur={handleBlur}
                onKeyDown={handleKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={options.length === 0}>
        <Combobox.Options className={style.options} aria-label={t('search.field.tags')} aria-multiselectable="true">
          {options.map((tag) => (
            <Combobox.Option key={tag} value={tag} aria-selected={value.includes(tag)} className={style.option}>
              <IconCheck size={14} className={value.includes(tag) ? undefined : style.unchosen} />
              {tag}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
