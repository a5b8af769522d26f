import type { Clip } from './clips.ts'
import type { ViewerImage } from './series-images.ts'
import type { DrawnMarks } from './stack-layers.ts'
import type { ToolName } from './stack-tools.ts'
import type { ViewerWindowPreset } from './window-presets.ts'

export type StackViewEvents = {
  /** `isFollowing` where another viewer asked for the image; `again` where trying once more may help. */
  onImage: (index: number, fault: string | undefined, isFollowing: boolean, again?: () => void) => void
  onWindow: (center: number, width: number) => void
  onPlaying: (isPlaying: boolean) => void
  /** Whether the tables of values that the image goes through are drawn; true of an image without tables. */
  onTables: (isDrawn: boolean) => void
  /** Whether everything that lies over the image has come from the server. */
  onLayers: (isWhole: boolean) => void
}

export type Stack = {
  imageIds: string[]
  images: ViewerImage[]
  clips: Clip[]
  /** None is stored: one window for all, by the values of some. */
  isWithoutWindow: boolean
  /** Floating point values: a window is as wide as it says. */
  isExact: boolean
  /** High values are drawn dark, until somebody or a presentation says otherwise. */
  isDarkOnLight: boolean
  /** From 0. */
  startAt?: number
}

export type StackView = {
  open: (stack: Stack) => Promise<void>
  /** @param isAsked by another viewer, and by nobody at this one */
  goTo: (index: number, isAsked?: boolean) => void
  step: (by: number) => void
  /** By clips where a series has them, else by ten images. */
  leap: (by: 1 | -1) => void
  setTool: (tool: ToolName) => void
  setWindow: (preset: ViewerWindowPreset) => void
  invert: () => void
  zoomBy: (factor: number) => void
  reset: () => void
  togglePlay: () => void
  setOverlays: (isOn: boolean) => void
  setMarks: (marks: DrawnMarks) => void
  /** Whether the other images of the stack are loaded ahead. */
  setAhead: (isAhead: boolean) => void
  clear: () => void
}
