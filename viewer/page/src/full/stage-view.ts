import type { GreyCurve } from '../grey-curve.ts'
import type { Presentation } from '../presentation-state.ts'
import { createPresentationView, type PresentationView } from '../presentation-view.ts'
import { hearResets } from './hear-resets.ts'
import type { StackViewport } from './ohif.ts'

/** Whether a presentation or a curve was applied in any place: OHIF keeps the view of a series and brings it back with the series. */
export type LeftBehind = { isAny: boolean }

type StageView = {
  /** Shows the image in the viewport as a presentation and tables say. */
  settle: (
    viewport: StackViewport,
    presentation: Presentation | undefined,
    curve: GreyCurve | 'unread' | undefined,
  ) => void
  /** Hears when somebody puts the view of a viewport back: a chosen presentation is applied again then. */
  hear: (viewport: StackViewport) => void
  /** Another stack of images has come. */
  forget: () => void
  areTablesDrawn: () => boolean
}

/** Windows, turns and curves of the images in one place of OHIF. */
export function createStageView(leftBehind: LeftBehind, handleReset: () => void): StageView {
  const heard = new WeakSet<StackViewport>()
  let viewport: StackViewport | undefined
  let view: PresentationView | undefined
  let isSettling = false
  let isFresh = false
  let isNewStack = true
  let areTablesDrawn = true

  function viewOf(next: StackViewport): PresentationView {
    if (view && next === viewport) return view
    viewport = next
    view = createPresentationView(next, {
      resetWindow: () => next.resetProperties(),
      onTables: (isDrawn) => {
        areTablesDrawn = isDrawn
      },
      isByProcessor: () => window.cornerstone?.getShouldUseCPURendering() === false,
    })
    return view
  }

  return {
    settle: (next, presentation, curve) => {
      const settled = viewOf(next)
      isSettling = true
      const hasOldView = isNewStack && leftBehind.isAny
      if (hasOldView) {
        settled.forget()
        next.resetProperties()
        next.resetCamera()
      }
      const isChanged = settled.settle(presentation, curve, isFresh)
      isFresh = isNewStack = isSettling = false
      leftBehind.isAny ||= presentation !== undefined || curve !== undefined
      if (isChanged || hasOldView) next.render()
    },
    hear: (next) => {
      if (heard.has(next)) return
      heard.add(next)
      hearResets(next, () => {
        if (isSettling || next !== viewport) return
        isFresh = true
        handleReset()
      })
    },
    forget: () => {
      isNewStack = areTablesDrawn = true
    },
    areTablesDrawn: () => areTablesDrawn,
  }
}
