import { readListSearch } from '../../state/list-search.ts'
import { type AddressPlace, UnsavedGuard } from '../../state/unsaved-guard.tsx'

/** Asks before something in a tab of an exam is lost: with another tab or exam, or another page. */
export function ExamGuard({ isDirty, text }: { isDirty: boolean; text: string }) {
  return <UnsavedGuard isDirty={isDirty} text={text} isAway={closesTab} />
}

/** Whether the tab is closed: not by another order or page of the list, nor by a search that is typed beside it. */
function closesTab(from: AddressPlace, to: AddressPlace): boolean {
  const shown = ({ pathname, search }: AddressPlace) => {
    const { study, tab } = readListSearch({ ...search })
    return JSON.stringify([pathname, study, tab])
  }
  return shown(from) !== shown(to)
}
