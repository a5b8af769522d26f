import { t } from '../../labels/label.ts'
import { readWorkFilter } from '../../queries/search-expressions.ts'
import { usePreferences } from '../../session/preferences.ts'
import { filledFields, noFilters, type SearchFilters, shownField } from '../../state/search-filters.ts'
import { IconX } from '../../ui/icons.ts'
import { searchedField } from './searched-field.ts'
import { rangeText } from './date-range-text.ts'
import style from './search-chips.module.css'

interface SearchChipsProps {
  inForce: SearchFilters
  /** Fields that the list below shows in a control of its own. */
  shownBelow: readonly (keyof SearchFilters)[]
  /** Searches without what a chip stood for. */
  onChange: (filters: SearchFilters) => void
}

/** Criteria of a search beside the text of the one field, each to be taken off by itself. */
export function SearchChips({ inForce, shownBelow, onChange }: SearchChipsProps) {
  const { dateFormat } = usePreferences()
  const shown = shownField(inForce)
  const textOf = (field: keyof SearchFilters): string => {
    const value = inForce[field]
    if (field === 'work') return t(`work.${readWorkFilter(inForce.work)}`)
    if (yesOrNo.has(field)) return value === '1' ? t('search.yes') : t('search.no')
    if (typeof value === 'string') return value
    return 'preset' in value ? rangeText(value, dateFormat) : value.join(', ')
  }
  const chips = filledFields(inForce)
    .filter((field) => field !== shown && field !== 'tags' && !shownBelow.includes(field))
    .map((field) => ({
      key: field,
      text: t('search.chip', { field: t(searchedField(field)), value: textOf(field) }),
      without: { ...inForce, [field]: noFilters[field] },
    }))
  const tags = inForce.tags.map((tag) => ({
    key: `tag ${tag}`,
    text: t('search.chip', { field: t('search.tag'), value: tag }),
    without: { ...inForce, tags: inForce.tags.filter((one) => one !== tag) },
  }))
  if (chips.length + tags.length === 0) return null
  return (
    <ul className={style.chips} aria-label={t('search.inForce')}>
      {[...chips, ...tags].map(({ key, text, without }) => (
        <li key={key} className={style.chip}>
          <span className={style.text} title={text}>
            {text}
          </span>
          <button type="button" aria-label={t('search.removeTag', { tag: text })} onClick={() => onChange(without)}>
            <IconX size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}

const yesOrNo: ReadonlySet<keyof SearchFilters> = new Set(['starred', 'thin', 'unread', 'mixed', 'incomplete'])
