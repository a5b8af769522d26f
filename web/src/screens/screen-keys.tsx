import { lazy, Suspense, useState } from 'react'
import { searchFieldId } from '../features/search/search-bar.tsx'
import { useHasShortcuts } from '../session/preferences.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'

const KeySheet = lazy(async () => ({ default: (await import('../features/studies/key-sheet.tsx')).KeySheet }))

/** The keys of a whole screen of studies: to the search field, and the sheet of all keys. */
export function ScreenKeys() {
  const [isSheetShown, setIsSheetShown] = useState(false)
  const keys = {
    '/': (event: Event) => {
      event.preventDefault()
      document.getElementById(searchFieldId)?.focus()
    },
    '?': () => setIsSheetShown(true),
  }
  useShortcuts(keys, useHasShortcuts())
  if (!isSheetShown) return null
  return (
    <Suspense fallback={null}>
      <KeySheet onClose={() => setIsSheetShown(false)} />
    </Suspense>
  )
}
