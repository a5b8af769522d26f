import { lazy, Suspense, useState } from 'react'
import { MenuTarget } from './menu-target.tsx'

const load = () => import('./main-menu.tsx')
const MainMenu = lazy(async () => ({ default: (await load()).MainMenu }))

/** The main menu costs 25 KB that the first screen does without: it comes when pointer or focus draw near, and shows on click. */
export function MainMenuButton() {
  const [isWanted, setIsWanted] = useState(false)
  const target = (
    <MenuTarget onPointerEnter={() => void load()} onFocus={() => void load()} onClick={() => setIsWanted(true)} />
  )
  return isWanted ? (
    <Suspense fallback={target}>
      <MainMenu />
    </Suspense>
  ) : (
    target
  )
}
