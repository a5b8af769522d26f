import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import type { RecipientKind, Shareable } from '@hilum/contract/calls/study-share'
import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect } from 'react'
import { t } from '../../labels/label.ts'
import { recipientsQuery } from '../../queries/shares.ts'
import { IconCheck } from '../../ui/icons.ts'
import type { KnownRecipients } from './known-recipients.ts'
import style from './share.module.css'

const askAfterMs = 250

interface RecipientPickerProps {
  kind: RecipientKind
  /** In place of that of the kind. */
  label?: string
  /** One recipient for a dialog around the picker: its focus begins here, the list stands within it and closes with the choice. */
  isInDialog?: boolean
  /** The study whose recipients are offered. */
  studyUuid: string
  value: readonly Shareable[]
  onChange: (value: readonly Shareable[]) => void
  typed: string
  onTyped: (typed: string) => void
  /** Recipients that have access already. */
  known: KnownRecipients
}

const words = {
  user: { label: 'share.people', hint: 'share.peopleHint', none: 'share.nobody' },
  account: { label: 'send.accounts', hint: 'send.accountsHint', none: 'send.noAccount' },
  group: { label: 'share.groups', hint: 'share.groupsHint', none: 'share.noGroup' },
  location: { label: 'share.locations', hint: 'share.locationsHint', none: 'share.noLocation' },
} as const

/** Any number of people, or of places, found by parts of their names (SHARE-01). Backspace takes the last one off. */
export function RecipientPicker({
  kind,
  label: ownLabel,
  isInDialog = false,
  studyUuid,
  value,
  onChange,
  typed,
  onTyped,
  known,
}: RecipientPickerProps) {
  const [asked] = useDebouncedValue(typed, askAfterMs)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { data, isLoadingError, isFetching } = useQuery({
    ...recipientsQuery(studyUuid, kind, asked),
    enabled: box.dropdownOpened,
  })
  const { hint, none } = words[kind]
  const label = ownLabel ?? t(words[kind].label)
  const found = data?.found ?? []
  const { selectFirstOption, updateSelectedOptionIndex } = box
  // Enter takes the first that fits, as soon as something was typed.
  useEffect(() => {
    if (asked.trim() && found.length > 0) selectFirstOption()
    else updateSelectedOptionIndex()
  }, [asked, found.length, selectFirstOption, updateSelectedOptionIndex])

  const toggle = (uuid: string) => {
    const chosen = found.find((one) => one.uuid === uuid)
    const isChosen = value.some((one) => one.uuid === uuid)
    if (isChosen) onChange(value.filter((one) => one.uuid !== uuid))
    else if (chosen) onChange(isInDialog ? [chosen] : [...value, chosen])
    onTyped('')
    // it covers what the dialog says of the choice
    if (isInDialog) box.closeDropdown()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
    // Enter in a list without an answer must not send the form.
    if (event.key === 'Enter' && typed.trim() !== '') event.preventDefault()
  }
  const quiet = isLoadingError ? t('share.searchFailed') : data || !isFetching ? t(none) : t('share.searching')
  return (
    <Combobox
      store={box}
      keepMounted={false}
      withinPortal={!isInDialog}
      floatingStrategy={isInDialog ? 'fixed' : 'absolute'}
      onOptionSubmit={toggle}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          size="xs"
          label={label}
          // text that names nobody is no recipient, and must not look like one
          error={typed.trim() !== '' && !box.dropdownOpened && t('share.fromList')}
          classNames={{ input: style.box }}
          onClick={() => box.openDropdown()}
        >
          <Pill.Group>
            {value.map((one) => (
              <Pill
                key={one.uuid}
                className={style.pill}
                title={one.user_email || one.name}
                withRemoveButton
                removeButtonProps={{
                  'aria-label': t('share.remove', { name: one.name }),
                  'aria-hidden': false,
                  tabIndex: 0,
                  size: 24,
                }}
                onRemove={() => onChange(value.filter(({ uuid }) => uuid !== one.uuid))}
              >
                {one.name}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                name={kind}
                data-autofocus={isInDialog || undefined}
                data-empty={typed === '' || undefined}
                value={typed}
                placeholder={value.length === 0 ? t(hint) : undefined}
                autoComplete="off"
                onChange={(event) => {
                  onTyped(event.currentTarget.value)
                  box.openDropdown()
                }}
                className={style.field}
                onBlur={() => box.closeDropdown()}
                onKeyDown={handleKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options className={style.options} aria-label={label} aria-multiselectable="true">
          {found.map((one) => {
            const isChosen = value.some(({ uuid }) => uuid === one.uuid)
            return (
              <Combobox.Option key={one.uuid} value={one.uuid} aria-selected={isChosen} className={style.option}>
                <IconCheck size={14} className={isChosen ? undefined : style.unchosen} />
                <span className={style.optionName}>
                  {one.name}
                  {one.user_email && <span>{one.user_email}</span>}
                </span>
                {known.has(one.uuid) && <span className={style.optionNote}>{known.get(one.uuid)}</span>}
              </Combobox.Option>
            )
          })}
          {found.length === 0 && <Combobox.Empty>{quiet}</Combobox.Empty>}
        </Combobox.Options>
        {data?.hasMore && <Combobox.Footer className={style.optionNote}>{t('share.moreFound')}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  )
}
