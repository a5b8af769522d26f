import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { hasTagName } from '../../format/tag-name.ts'
import { t } from '../../labels/label.ts'
import { tagSuggestionsQuery } from '../../queries/tag-suggestions.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { recognise } from './recognise.ts'
import style from './search-bar.module.css'

const askAfterMs = 250
const fewestLetters = 2
const mostOffered = 3

interface TagOfferProps {
  typed: string
  /** Tags that are searched by already. */
  inForce: readonly string[]
  onChoose: (tag: string) => void
}

/** Tags in use that what was typed may stand for, below the field while the focus is there; the text itself stays a name or number. */
export function TagOffer({ typed, inForce, onChoose }: TagOfferProps) {
  const [asked] = useDebouncedValue(typed.trim(), askAfterMs)
  const kind = recognise(typed)?.kind
  const isAsked = asked.length >= fewestLetters && kind !== undefined && kind !== 'tag' && kind !== 'studyUid'
  const { data = [] } = useQuery({ ...tagSuggestionsQuery(asked), enabled: isAsked })
  const offered = isAsked ? offeredTags(data, typed).filter((tag) => !hasTagName(inForce, tag)) : []
  const shown = offered.slice(0, mostOffered)
  return (
    <>
      {/* Empty it stays in the page, so that a screen reader hears what comes into it. */}
      <span role="status">
        <HeardOnly>{shown.length > 0 && t('search.tagsOffered', { count: shown.length })}</HeardOnly>
      </span>
      {shown.length > 0 && <Offer tags={shown} onChoose={onChoose} />}
    </>
  )
}

function Offer({ tags, onChoose }: { tags: readonly string[]; onChoose: (tag: string) => void }) {
  return (
    // a pressed button takes no focus in every browser, and the offer goes with the focus
    <ul className={style.offer} aria-label={t('search.tagOffer')} onMouseDown={(event) => event.preventDefault()}>
      {tags.map((tag) => (
        <li key={tag}>
          <button type="button" onClick={() => onChoose(tag)}>
            <span>{t('search.kind.tag')}</span> {tag}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Tags of which a word begins as typed, the same word first. */
function offeredTags(tags: readonly string[], typed: string): string[] {
  const text = typed.trim().toLowerCase()
  const rank = (tag: string) => {
    const lower = tag.toLowerCase()
    if (lower === text) return 0
    return lower.startsWith(text) ? 1 : 2
  }
  return tags.filter((tag) => ` ${tag.toLowerCase()}`.includes(` ${text}`)).toSorted((a, b) => rank(a) - rank(b))
}
