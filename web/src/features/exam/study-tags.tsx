import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import { maxTagLength, tagAdd } from '@hilum/contract/calls/tag'
import type { Study } from '@hilum/contract/entities/study'
import { Combobox, Pill, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { hasTagName, readTypedTag } from '../../format/tag-name.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { useChangeTag } from '../../queries/exam-acts.ts'
import { tagSuggestionsQuery } from '../../queries/tag-suggestions.ts'
import { useTagHue } from '../../session/tag-hue.ts'
import { mayCall } from '../../session/use-may.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'

/** TAG-04: more than these are counted as well. */
const uncountedTags = 2
/** Milliseconds of quiet before suggestions are asked for. */
const askAfterMs = 500

/** The tags of a study, each to be read whole; for those who may, ways to add and remove them. */
export function StudyTags({ study }: { study: Study }) {
  const change = useChangeTag(study.uuid)
  const mayTag = mayCall(tagAdd, study.permissions)
  const hueOf = useTagHue()
  const input = useRef<HTMLInputElement>(null)
  const { tags } = study
  const handleRemove = (tag: string) => {
    change.mutate({ tag, isAdded: false })
    input.current?.focus() // the button that had it is gone
  }
  return (
    <div>
      <div className={style.tags} role="group" aria-label={t('tag.label')}>
        {tags.map((tag) => (
          <Pill
            key={tag}
            className={style.pill}
            data-tag-hue={hueOf(tag)}
            title={tag}
            withRemoveButton={mayTag}
            removeButtonProps={{
              'aria-label': t('tag.remove', { tag }),
              'aria-hidden': false,
              tabIndex: 0,
              size: 24,
            }}
            onRemove={() => handleRemove(tag)}
          >
            {tag}
          </Pill>
        ))}
        {tags.length > uncountedTags && (
          <span className={style.reasonInline}>{t('tag.selected', { count: tags.length })}</span>
        )}
        {tags.length === 0 && !mayTag && t('tag.none')}
        {mayTag && <TagInput input={input} tags={tags} onAdd={(tag) => change.mutate({ tag, isAdded: true })} />}
      </div>
      {change.isError && (
        <ActFailure text={t('tag.failed')} failure={change.error} onRetry={() => change.mutate(change.variables)} />
      )}
    </div>
  )
}

interface TagInputProps {
  label?: string
  input: React.RefObject<HTMLInputElement | null>
  tags: readonly string[]
  onAdd: (tag: string) => void
}

/** TAG-01, TAG-02: Enter adds what is typed, or the suggestion that is chosen. */
export function TagInput({ input, label = t('tag.add'), tags, onAdd }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const text = readTypedTag(typed)
  const [asked] = useDebouncedValue(text, askAfterMs)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { data: known = [] } = useQuery({ ...tagSuggestionsQuery(asked), enabled: box.dropdownOpened })
  const options = known.filter((tag) => tag.toLowerCase().includes(text.toLowerCase()) && !hasTagName(tags, tag))
  const add = (tag: string) => {
    if (!hasTagName(tags, tag)) onAdd(tag)
    setTyped('')
    box.closeDropdown()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    // While a character is being composed, Enter chooses it.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !text || box.getSelectedOptionIndex() !== -1) return
    event.preventDefault()
    add(text)
  }
  return (
    // A dropdown that is kept while it is closed has its place computed whenever a study is opened.
    <Combobox store={box} keepMounted={false} onOptionSubmit={add}>
      <Combobox.Target>
        <TextInput
          ref={input}
          className={style.tagInput}
          aria-label={label}
          placeholder={label}
          value={typed}
          maxLength={maxTagLength}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            box.openDropdown()
          }}
          onClick={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
          onKeyDown={handleKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={options.length === 0}>
        <Combobox.Options>
          {options.map((tag) => (
            <Combobox.Option key={tag} value={tag}>
              {tag}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
