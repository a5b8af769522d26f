import type { StudyState } from '@hilum/contract/inbox-config'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { cutText } from '../../format/cut.ts'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { searchedState } from '../../queries/study-view.ts'
import {
  clearSearchFilters,
  filledFields,
  type SearchFilters,
  setSearchFilters,
  shownField,
  useSearchFilters,
} from '../../state/search-filters.ts'
import { useDraft } from '../../state/drafts.ts'
import { forgetSavedList, useSavedListAsked } from '../../state/saved-list.ts'
import { IconAdjustmentsHorizontal, IconInfoCircle, IconSelector } from '../../ui/icons.ts'
import { FindField } from './find-field.tsx'
import { askAfterMs, searchWhileTyping, waitsForEnter } from './find-soon.ts'
import { withTyped } from './recognise.ts'
import { SearchChips } from './search-chips.tsx'
import style from './search-bar.module.css'

const loadAdvanced = () => import('./advanced-search.tsx')
const AdvancedSearch = lazy(async () => ({ default: (await loadAdvanced()).AdvancedSearch }))
const SearchTips = lazy(async () => ({ default: (await import('./search-tips.tsx')).SearchTips }))

/** Marker of All My Groups (SHELL-14). */
const all = '0'
/** CONST-02 */
const nameLength = 25
/** The draft of advanced search, which is open from the start where there is one. */
export const advancedDraft = 'advanced search'
/** Where the key "/" leads. */
export const searchFieldId = 'search-find'

interface SearchBarProps {
  inboxes: readonly Inbox[]
  /** Undefined for All My Groups. */
  inbox: Inbox | undefined
  /** The state that is shown there. */
  state?: StudyState
  today: string
  /** Fields that the list below shows in a control of its own, and that are no chip therefore. */
  shownBelow?: readonly (keyof SearchFilters)[]
  /** Shows the studies of this place by the search in force. */
  onSearch: (inbox: Inbox | undefined) => void
  /** Shows them, in the place that is shown, while somebody types; without it, results come by Search alone. */
  onType?: () => void
  /** Takes back all that narrows the list, and shows all groups; by default as a search without filters. */
  onClear?: () => void
  /** Tells when advanced search opens and closes: it lies over what is below, which is out of reach meanwhile. */
  onAdvanced?: (isOpen: boolean) => void
  /** Further acts on the search in force. */
  children?: ReactNode
}

/** One field to find by, the group, and the way to all other fields; what is typed is the form's own until Search. */
export function SearchBar(props: SearchBarProps) {
  const {
    inboxes,
    inbox,
    state = 'Inbox',
    today,
    shownBelow = [],
    onSearch,
    onType,
    onClear = () => onSearch(undefined),
    onAdvanced,
    children,
  } = props
  const inForce = useSearchFilters()
  const [typed, setTyped] = useState<string>()
  const [chosenPlace, setChosenPlace] = useState<string>()
  const [draft, setDraft] = useDraft(advancedDraft)
  const [isOpen, setIsOpen] = useState(draft !== '')
  const savedAsked = useSavedListAsked()
  const isAdvanced = isOpen || savedAsked > 0
  useEffect(() => () => forgetSavedList(), [])
  useEffect(() => {
    if (savedAsked > 0) onAdvanced?.(true)
  }, [savedAsked, onAdvanced])
  const [areTipsOpen, setAreTipsOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const shown = shownField(inForce)
  const shownText = shown ? inForce[shown] : ''
  const [followed, setFollowed] = useState<string>()
  // Another search came in force than the one that follows the typing: by Back, or by a saved search.
  if (followed !== undefined && followed !== shownText) {
    setFollowed(undefined)
    setTyped(undefined)
  }
  const text = typed ?? shownText
  const place = inboxes.find(({ namespaceId }) => namespaceId === (chosenPlace ?? inbox?.namespaceId))
  const advancedCount = filledFields(inForce).filter((field) => field !== shown).length

  const setIsAdvanced = (opens: boolean) => {
    setIsOpen(opens)
    forgetSavedList()
    if (!opens) setDraft('')
    onAdvanced?.(opens)
  }
  const isElsewhere = chosenPlace !== undefined && place?.namespaceId !== inbox?.namespaceId
  const followTyping = useDebouncedCallback((letters: string) => {
    const wanted = searchWhileTyping(letters)
    if (!wanted || !onType || isElsewhere) return
    const found = shownField(wanted)
    setSearchFilters(wanted)
    setFollowed(found ? wanted[found] : '')
    onType()
  }, askAfterMs)
  /** SEARCH-04: closes advanced search; the group is the chosen one, else all. */
  const search = (filters: SearchFilters) => {
    followTyping.cancel()
    setFollowed(undefined)
    setSearchFilters({ ...filters, patientName: filters.patientName.trim() })
    setTyped(undefined)
    handleClose()
    onSearch(place)
  }
  const handleClose = () => {
    if (isAdvanced) toggle.current?.focus()
    setIsAdvanced(false)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isAdvanced) search(withTyped(inForce, text)) // SEARCH-02, by Enter as well
  }
  const handleClear = () => {
    followTyping.cancel()
    setFollowed(undefined)
    clearSearchFilters()
    setTyped(undefined)
    setChosenPlace(undefined)
    setIsAdvanced(false)
    onClear()
  }
  const groups = inboxes.map((one) => ({ value: one.namespaceId, label: cutText(inboxName(one), nameLength) })) // ENTITY-09
  return (
    <search className={style.bar}>
      <div className={style.line}>
        <form className={style.form} onSubmit={handleSubmit}>
          <FindField
            id={searchFieldId}
            value={text}
            isDisabled={isAdvanced}
            onChange={setTyped}
            onLetters={followTyping}
            isWaiting={typed !== undefined && waitsForEnter(text, onType !== undefined && !isElsewhere)}
            tags={inForce.tags}
            onTag={(tag) => search(withTyped(inForce, `#${tag}`))}
          />
          <NativeSelect
            rightSection={<IconSelector size={14} />}
            className={style.group}
            aria-label={t('search.group')}
            data={[{ value: all, label: t('search.allGroups') }, ...groups]}
            value={chosenPlace ?? inbox?.namespaceId ?? all}
            onChange={(event) => setChosenPlace(event.currentTarget.value)}
          />
          <Button
            ref={toggle}
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={15} />}
            aria-haspopup="dialog"
            aria-expanded={isAdvanced}
            aria-label={advancedCount > 0 ? t('search.advancedCount', { count: advancedCount }) : undefined}
            onPointerEnter={() => void loadAdvanced()}
            onFocus={() => void loadAdvanced()}
            onClick={() => setIsAdvanced(!isAdvanced)}
          >
            {t('search.advanced')}
            {advancedCount > 0 && <span className={style.inUse} data-count={advancedCount} />}
          </Button>
          <Button type="submit" disabled={isAdvanced}>
            {t('search.submit')}
          </Button>
          <Button variant="subtle" color="gray" onClick={handleClear}>
            {t('search.clear')}
          </Button>
          <ActionIcon
            aria-label={t('search.tips')}
            title={t('search.tips')}
            aria-haspopup="dialog"
            size={28}
            onClick={() => setAreTipsOpen(true)}
          >
            <IconInfoCircle size={16} />
          </ActionIcon>
          {children}
        </form>
        <SearchChips inForce={inForce} shownBelow={shownBelow} onChange={search} />
      </div>
      {isAdvanced && (
        <Suspense fallback={null}>
          <AdvancedSearch
            savedAsked={savedAsked}
            // A draft that outlasted the session is there again.
            initial={draft === '' ? withTyped(inForce, text) : readDraft(draft)}
            onChange={(next) => setDraft(JSON.stringify(next))}
            inboxes={inboxes}
            inbox={place}
            state={searchedState(place, { inbox, state })}
            today={today}
            onSearch={search}
            onClose={handleClose}
          />
        </Suspense>
      )}
      {areTipsOpen && (
        <Suspense fallback={null}>
          <SearchTips onClose={() => setAreTipsOpen(false)} />
        </Suspense>
      )}
    </search>
  )
}

/** Written by this form alone, in this page's memory. */
function readDraft(draft: string): SearchFilters {
  return JSON.parse(draft) as SearchFilters
}
