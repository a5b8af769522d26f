import { t } from '../../labels/label.ts'
import { readListSearch } from '../../state/list-search.ts'
import { type AddressPlace, UnsavedGuard } from '../../state/unsaved-guard.tsx'

/** Asks before lengths measured in the viewer are lost: with another tab or exam, or another page. */
export function LengthsGuard({ count }: { count: number }) {
  return <UnsavedGuard isDirty text={t('viewer.openLengths', { count })} isAway={closesViewer} />
}

/** Whether the viewer is closed: not by another order or page of the list, nor by a search that is typed beside it. */
function closesViewer(from: AddressPlace, to: AddressPlace): boolean {
  const shown = ({ pathname, search }: AddressPlace) => {
    const { study, tab } = readListSearch({ ...search })
    return JSON.stringify([pathname, study, tab])
  }
  return shown(from) !== shown(to)
}
