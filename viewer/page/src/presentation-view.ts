import type { Types } from '@cornerstonejs/core'
import { applyCurve, hasCurve } from './apply-curve.ts'
import { applyPresentation } from './apply-presentation.ts'
import type { GreyCurve } from './grey-curve.ts'
import type { Presentation } from './presentation-state.ts'

type PresentationViewOptions = {
  /** Gives the viewport the window that it has without a presentation. */
  resetWindow: () => void
  /** Whether the tables of values that the image goes through are drawn; true of an image without tables. */
  onTables: (isDrawn: boolean) => void
  /** Whether the browser draws by its graphics processor; else it knows windows alone. */
  isByProcessor: () => boolean
}

export type PresentationView = {
  /**
   * Shows an image as a presentation and tables say; the caller draws the viewport afterwards.
   * @param isFresh the viewport has forgotten what it was told before
   * @returns whether anything was changed
   */
  settle: (
    presentation: Presentation | undefined,
    curve: GreyCurve | 'unread' | undefined,
    isFresh?: boolean,
  ) => boolean
  /** Forgets what was applied, as another stack of images does. */
  forget: () => void
  /** Whether a presentation turned or moved the picture. */
  isArranged: () => boolean
}

/** The window and view somebody has chosen stay from image to image, as long as no presentation says otherwise. */
export function createPresentationView(
  viewport: Types.IStackViewport,
  { resetWindow, onTables, isByProcessor }: PresentationViewOptions,
): PresentationView {
  let applied = ''
  let isArranged = false
  return {
    settle: (presentation, curve, isFresh = false) => {
      const { window, isInverted, rotation, isFlipped, area } = presentation ?? {}
      const asked = presentation ? [window, isInverted, rotation, isFlipped, area] : []
      const key = presentation || curve ? JSON.stringify([...asked, curve]) : ''
      const drawn = curve === 'unread' ? undefined : curve
      const isLost = isFresh || (drawn !== undefined && isByProcessor() && !hasCurve(viewport, drawn))
      if (key === applied && !(isLost && key !== '')) return false
      applied = key
      resetWindow()
      if (presentation || isArranged) viewport.resetCamera()
      isArranged = presentation !== undefined
      if (presentation) applyPresentation(viewport, presentation)
      const hasNone = curve === undefined && !presentation?.hasTables
      onTables(drawn ? applyCurve(viewport, drawn, isByProcessor()) : hasNone)
      return true
    },
    forget: () => {
      applied = ''
      isArranged = false
    },
    isArranged: () => isArranged,
  }
}
