import type { PresentationState } from './presentation-state.ts'

/** The images in the places of the full viewer, as far as the page around it has switches or words for them. */
export type ShownInFull = {
  /** Overlays, segments or annotations lie over one of them. */
  hasLayers: boolean
  /** Presentation states about them. */
  states: readonly PresentationState[]
  /** Sentences about tables that are not drawn, and about places in which nothing is drawn over the images. */
  remarks: readonly string[]
}

/** Switches of the page around the full viewer, which our script in its frame obeys. */
export type FullSwitches = {
  isOn: boolean
  /** Undefined for the images as they are stored. */
  state: PresentationState | undefined
  /** Set by the frame, and called by the page when a switch was turned. */
  onTurned: () => void
  /** Set by the page, and called by the frame when other images are shown. */
  onShown: (shown: ShownInFull) => void
}
