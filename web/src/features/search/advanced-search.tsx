import type { StudyState } from '@hilum/contract/inbox-config'
import { Button, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { readBirthDate, workFilters } from '../../queries/search-expressions.ts'
import { countCap, studyCountQuery } from '../../queries/studies.ts'
import { usePreferences } from '../../session/preferences.ts'
import { type Choice, filledFields, noFilters, type SearchFilters } from '../../state/search-filters.ts'
import { IconBookmark, IconSelector } from '../../ui/icons.ts'
import { useRoomBelow } from '../../ui/use-room-below.ts'
import style from './advanced-search.module.css'
import { DateRangeField } from './date-range-field.tsx'
import { ModalitySelect } from './modality-select.tsx'
import { SavedSearches } from './saved-searches.tsx'
import { TagSelect } from './tag-select.tsx'

/** SEARCH-09: how long a field rests before it is looked up. */
const askAfterMs = 250
const askLongAfterMs = 500
/** SEARCH-07 */
const shownTags = 3

interface AdvancedSearchProps {
  initial: SearchFilters
  /** How often the list of saved searches was asked for, also while the form is open. */
  savedAsked?: number
  /** Told of every change, so that the form outlasts the end of the session. */
  onChange?: (draft: SearchFilters) => void
  inboxes: readonly Inbox[]
  /** Where Search would look; undefined for all groups. */
  inbox: Inbox | undefined
  state: StudyState
  today: string
  onSearch: (filters: SearchFilters) => void
  onClose: () => void
}

type ChoiceField = 'sex' | 'starred' | 'thin' | 'unread' | 'work' | 'mixed' | 'incomplete'
type TextField = { [Key in keyof SearchFilters]: SearchFilters[Key] extends string ? Key : never }[keyof SearchFilters]

/** All fields (SEARCH-05). Nothing of it is in force until Search; how much it would find is told meanwhile. */
export function AdvancedSearch(props: AdvancedSearchProps) {
  const { initial, savedAsked = 0, onChange, inboxes, inbox, state, today, onSearch, onClose } = props
  const [draft, setDraft] = useState(initial)
  const [isSavedShown, setIsSavedShown] = useState(savedAsked > 0)
  const [wasAsked, setWasAsked] = useState(savedAsked)
  if (wasAsked !== savedAsked) {
    setWasAsked(savedAsked)
    if (savedAsked > 0) setIsSavedShown(true)
  }
  const { dateFormat } = usePreferences()
  const popup = useRef<HTMLDivElement>(null)
  useRoomBelow(popup)
  useEffect(() => popup.current?.querySelector('input')?.focus(), [])
  const change = (next: SearchFilters) => {
    setDraft(next)
    onChange?.(next)
  }
  const put = (part: Partial<SearchFilters>) => change({ ...draft, ...part })
  const isWrongDate = draft.birthDate.trim() !== '' && readBirthDate(draft.birthDate) === undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrongDate) onSearch(draft)
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement // keys come to elements
    // Escape in an open list or calendar closes that first, and a portal's keys arrive here too.
    const isOpen = target.ariaExpanded === 'true' || target.dataset['mantineStopPropagation'] === 'true'
    const isOfAnother = isOpen || !event.currentTarget.contains(target)
    if (event.key === 'Escape' && !isOfAnother) onClose()
  }
  const filled = filledFields(draft)
  /** Fields that hold something stand out. */
  const look = (field: keyof SearchFilters, width = '') => (filled.includes(field) ? `${width} ${style.filled}` : width)
  const text = (field: TextField, width?: string) => ({
    className: look(field, width),
    label: t(`search.field.${field}`),
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
    autoComplete: 'off',
  })
  const choice = (field: ChoiceField, options: readonly { value: string; label: string }[]) => ({
    ...text(field, style.half),
    data: [{ value: '', label: t('search.all') }, ...options],
    rightSection: <IconSelector size={14} />,
  })
  const range = (field: 'studyDate' | 'uploaded') => ({
    className: look(field),
    label: t(`search.field.${field}`),
    value: draft[field],
    today,
    dateFormat,
    onChange: (days: SearchFilters['studyDate']) => put({ [field]: days }),
  })
  return (
    <div
      ref={popup}
      role="dialog"
      aria-label={t('search.advanced')}
      className={style.popup}
      data-saved={isSavedShown || undefined}
      onKeyDown={handleKeyDown}
      data-advanced-search
    >
      <form onSubmit={handleSubmit}>
        <FieldGroup name="patient">
          <TextInput {...text('patientName')} placeholder={t('search.nameForm')} spellCheck={false} />
          <TextInput {...text('mrn')} />
          <TextInput
            {...text('birthDate', style.half)}
            placeholder={t('search.dateForm')}
            error={isWrongDate && t('search.wrongDate')}
          />
          <NativeSelect {...choice('sex', sexes)} />
        </FieldGroup>
        <FieldGroup name="exam">
          <TextInput {...text('accession')} />
          <TextInput {...text('referring')} />
          <ModalitySelect
            className={look('modalities')}
            value={draft.modalities}
            onChange={(chosen) => put({ modalities: chosen })}
          />
          <DateRangeField {...range('studyDate')} />
          <DateRangeField {...range('uploaded')} omits="yesterday" />
          <TagSelect className={look('tags')} value={draft.tags} onChange={(tags) => put({ tags })} shown={shownTags} />
          <Textarea {...text('description', style.whole)} rows={4} />
        </FieldGroup>
        <FieldGroup name="state">
          <NativeSelect {...choice('unread', yesOrNo())} />
          <NativeSelect {...choice('work', statuses())} />
          <NativeSelect {...choice('starred', yesOrNo())} />
          <NativeSelect {...choice('thin', yesOrNo())} />
          <NativeSelect {...choice('mixed', yesOrNo())} />
          <NativeSelect {...choice('incomplete', yesOrNo())} />
        </FieldGroup>
        <FieldGroup name="origin">
          <TextInput {...text('studyUid')} />
          <TextInput {...text('studyUuid')} />
          <TextInput {...text('sourceTitle', style.half)} />
          <TextInput {...text('destinationTitle', style.half)} />
        </FieldGroup>
        <div className={style.foot}>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconBookmark size={15} />}
            aria-expanded={isSavedShown}
            onClick={() => setIsSavedShown(!isSavedShown)}
          >
            {t('saved.label')}
          </Button>
          <Found filters={draft} inbox={inbox} state={state} inboxes={inboxes} today={today} />
          <Button variant="default" onClick={() => change(noFilters)}>
            {t('search.clearFields')}
          </Button>
          <Button type="submit">{t('search.submit')}</Button>
        </div>
      </form>
      {isSavedShown && <SavedSearches draft={draft} inboxes={inboxes} today={today} onApply={onSearch} />}
    </div>
  )
}

/** Fields that belong together, under their name. */
function FieldGroup({ name, children }: { name: 'patient' | 'exam' | 'state' | 'origin'; children: ReactNode }) {
  return (
    <fieldset className={style.group}>
      <legend>{t(`search.part.${name}`)}</legend>
      <div className={style.grid}>{children}</div>
    </fieldset>
  )
}

const sexes = ['M', 'F', 'O'].map((sex) => ({ value: sex, label: sex }))
const yesOrNo = (): { value: Choice; label: string }[] => [
  { value: '1', label: t('search.yes') },
  { value: '0', label: t('search.no') },
]

const statuses = () =>
  workFilters.filter((work) => work !== 'any').map((work) => ({ value: work, label: t(`work.${work}`) }))

interface FoundProps extends Pick<AdvancedSearchProps, 'inbox' | 'state' | 'inboxes' | 'today'> {
  filters: SearchFilters
}

/** How many studies Search would show, asked for once the fields rest (SEARCH-09). */
function Found({ filters, inbox, state, inboxes, today }: FoundProps) {
  const [rested] = useDebouncedValue(filters, askAfterMs)
  const [description] = useDebouncedValue(filters.description, askLongAfterMs)
  const view = {
    inbox,
    state,
    sort: 'upload-desc' as const,
    page: 1,
    work: 'any' as const,
    filters: { ...rested, description },
    today,
  }
  const { data: count } = useQuery(studyCountQuery(view, inboxes))
  return (
    <span className={style.found} role="status">
      {count === undefined
        ? ''
        : count > countCap
          ? t('search.foundAtLeast', { count: countCap })
          : t('search.found', { count })}
    </span>
  )
}
