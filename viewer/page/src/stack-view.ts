import { cache, Enums, RenderingEngine, type Types } from '@cornerstonejs/core'
import { type Clip, findClip, findClipStart } from './clips.ts'
import { findLoaded, ImageFault, loadImage } from './cornerstone.ts'
import type { StudySource } from './dicomweb.ts'
import { createOverlayLayer } from './overlay-layer.ts'
import type { ViewerImage } from './series-images.ts'
import { activate, createTools, type ToolName } from './stack-tools.ts'
import { texts } from './texts.ts'
import { rangeOf, type ValueRange } from './value-range.ts'
import { SlowError, withinTime } from './within-time.ts'
import type { WindowPreset } from './window-presets.ts'

export type StackViewEvents = {
  /** `again` where trying once more may help. */
  onImage: (index: number, fault: string | undefined, again?: () => void) => void
  onWindow: (center: number, width: number) => void
  onPlaying: (isPlaying: boolean) => void
}

/** The same as `--dark` in style.css. */
const NEAR_BLACK: [number, number, number] = [7 / 255, 9 / 255, 11 / 255]
const VIEWPORT = 'image'
const LEAP = 10
const PREFETCH_LANES = 3
const PREFETCH_SHARE_OF_CACHE = 0.8
/** Nobody looks at a picture that is not there for longer without a reason. */
const PATIENCE_MS = 9000

export type Stack = {
  imageIds: string[]
  images: ViewerImage[]
  clips: Clip[]
  /** None is stored: one window for all, by the values of some. */
  isWithoutWindow: boolean
  /** Floating point values: a window is as wide as it says. */
  isExact: boolean
}

/** Images that the series' own window is taken from, by their place. */
const SAMPLED = [0.25, 0.5, 0.75]
const EMPTY: Stack = { imageIds: [], images: [], clips: [], isWithoutWindow: false, isExact: false }

export type StackView = {
  open: (stack: Stack) => Promise<void>
  goTo: (index: number) => void
  step: (by: number) => void
  /** By clips where a series has them, else by ten images. */
  leap: (by: 1 | -1) => void
  setTool: (tool: ToolName) => void
  setWindow: (preset: WindowPreset) => void
  invert: () => void
  zoomBy: (factor: number) => void
  reset: () => void
  togglePlay: () => void
  setOverlays: (isOn: boolean) => void
  clear: () => void
}

/** One stack of images in an element. What is asked last wins: fast scrolling skips images rather than falling behind. */
export function createStackView(host: HTMLDivElement, source: StudySource, events: StackViewEvents): StackView {
  const engine = new RenderingEngine('quick')
  engine.enableElement({
    viewportId: VIEWPORT,
    type: Enums.ViewportType.STACK,
    element: host,
    defaultOptions: { background: NEAR_BLACK },
  })
  // The library takes its element out of the order of Tab.
  host.tabIndex = 0
  const viewport = engine.getViewport(VIEWPORT) as Types.IStackViewport
  const tools = createTools()
  const overlays = createOverlayLayer(host, source)
  let stack: Stack = EMPTY
  let wanted = 0
  let shown = -1
  let isStackSet = false
  let isMoving = false
  let series = new AbortController()
  let ownWindow: ValueRange | undefined
  let isPlaying = false

  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    try {
      while (shown !== wanted && stack.imageIds.length > 0) await show(wanted, series.signal)
    } finally {
      isMoving = false
    }
  }

  async function show(index: number, signal: AbortSignal): Promise<void> {
    let fault: string | undefined
    let again: (() => void) | undefined
    try {
      await withinTime(draw(index, signal), PATIENCE_MS, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SlowError) {
        fault = texts.imageSlow
        again = () => showAnew(index, signal)
        // the picture may still come
        void loadImage(stack.imageIds[index] ?? '').then(again, () => undefined)
      } else fault = (error instanceof ImageFault ? error : new ImageFault(error)).message
    }
    if (signal.aborted) return
    shown = index
    events.onImage(index, fault, again)
    if (fault === undefined) tellWindow()
    await showOverlays(index, fault !== undefined)
  }

  async function draw(index: number, signal: AbortSignal): Promise<void> {
    const imageId = stack.imageIds[index] ?? ''
    const loaded = await loadImage(imageId)
    if (signal.aborted) return
    if (loaded !== imageId) {
      stack.imageIds[index] = loaded
      isStackSet = false
    }
    if (!isStackSet && stack.isWithoutWindow) ownWindow ??= await findOwnWindow(index)
    if (signal.aborted) return
    if (isStackSet) await viewport.setImageIdIndex(index)
    else {
      await viewport.setStack([...stack.imageIds], index)
      setOwnWindow()
    }
    isStackSet = true
    viewport.render()
  }

  function showAnew(index: number, signal: AbortSignal): void {
    if (signal.aborted || shown !== index || wanted !== index) return
    shown = -1
    void move()
  }

  /** Of the first image and some others that lie apart. */
  async function findOwnWindow(index: number): Promise<ValueRange | undefined> {
    const { imageIds, images } = stack
    const places = new Set([index, ...SAMPLED.map((share) => Math.round((imageIds.length - 1) * share))])
    const loaded = await Promise.all(
      [...places].map((at) => loadImage(imageIds[at] ?? '').then(findLoaded, () => undefined)),
    )
    const values = loaded.flatMap((image) => (image && !image.color ? [image.getPixelData()] : []))
    const instance = images[index]?.instance
    return instance && values.length > 0 ? rangeOf(values, instance) : undefined
  }

  function setOwnWindow(): void {
    if (ownWindow && !findLoaded(stack.imageIds[wanted] ?? '')?.color)
      viewport.setProperties({ voiRange: { lower: ownWindow.low, upper: ownWindow.high } })
  }

  async function showOverlays(index: number, isFaulty: boolean): Promise<void> {
    const { imageIds, images } = stack
    const image = isFaulty ? undefined : findLoaded(imageIds[index] ?? '')
    const described = images[index]
    await overlays.show(image && described ? { ...described, image } : undefined)
    placeOverlays()
  }

  /** Where the picture's corners are on the screen, however it is moved or turned. */
  function placeOverlays(): void {
    const data = isStackSet ? viewport.getImageData() : undefined
    const toWorld = data?.imageData.indexToWorld
    if (!data || !toWorld) return
    const [width, height] = data.dimensions
    const at = (x: number, y: number) => {
      const [across, down] = viewport.worldToCanvas(toWorld([x - 0.5, y - 0.5, 0]) as Types.Point3)
      return [across, down] as const
    }
    overlays.place(at(0, 0), at(width, 0), at(0, height))
  }

  function tellWindow(): void {
    const range = viewport.getProperties().voiRange
    // Null where a lookup table in the file maps the values (PS3.3 C.11.2).
    const more = stack.isExact ? 0 : 1
    if (range) events.onWindow((range.upper + range.lower + more) / 2, range.upper - range.lower + more)
  }

  async function prefetch(): Promise<void> {
    const { signal } = series
    const { imageIds } = stack
    const queue = imageIds.map((_, at) => at).filter((at) => at !== wanted)
    const limit = cache.getMaxCacheSize() * PREFETCH_SHARE_OF_CACHE
    const lane = async () => {
      for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
        if (signal.aborted || cache.getCacheSize() > limit) return
        // A faulty image tells its reason when somebody comes to it.
        await loadImage(imageIds[at] ?? '').catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: PREFETCH_LANES }, lane))
  }

  async function play(): Promise<void> {
    const { signal } = series
    const goesOn = () => isPlaying && !signal.aborted
    while (goesOn()) {
      const started = performance.now()
      const clip = findClip(stack.clips, shown, stack.imageIds.length)
      wanted = clip.start + ((shown - clip.start + 1) % clip.count)
      await move()
      const frameMs = 1000 / (stack.images[shown]?.framesPerSecond ?? 10)
      const leftMs = frameMs - (performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)))
    }
  }

  function resetWindow(): void {
    viewport.resetProperties()
    setOwnWindow()
  }

  function setPlaying(value: boolean): void {
    if (isPlaying === value || (value && findClip(stack.clips, wanted, stack.imageIds.length).count < 2)) return
    isPlaying = value
    events.onPlaying(value)
    if (value) void play()
  }

  host.addEventListener(Enums.Events.VOI_MODIFIED, tellWindow)
  host.addEventListener(Enums.Events.IMAGE_RENDERED, placeOverlays)
  new ResizeObserver(() => engine.resize(true, true)).observe(host)
  tools.addViewport(VIEWPORT, engine.id)

  const view: StackView = {
    open: async (opened) => {
      view.clear()
      stack = opened
      await move()
      void prefetch()
    },
    goTo: (index) => {
      setPlaying(false)
      wanted = Math.min(stack.imageIds.length - 1, Math.max(0, index))
      void move()
    },
    step: (by) => view.goTo(wanted + by),
    leap: (by) => view.goTo(findClipStart(stack.clips, wanted, by) ?? wanted + by * LEAP),
    setTool: (tool) => activate(tools, tool),
    setWindow: ({ center, width }) => {
      if (!isStackSet) return
      if (Number.isNaN(width)) resetWindow()
      else viewport.setProperties({ voiRange: { lower: center - width / 2, upper: center + width / 2 - 1 } })
      viewport.render()
      tellWindow()
    },
    invert: () => {
      if (!isStackSet) return
      viewport.setProperties({ invert: !viewport.getProperties().invert })
      viewport.render()
    },
    zoomBy: (factor) => {
      if (!isStackSet) return
      viewport.setZoom(Math.min(20, Math.max(0.2, viewport.getZoom() * factor)))
      viewport.render()
    },
    reset: () => {
      if (!isStackSet) return
      resetWindow()
      viewport.resetCamera()
      viewport.render()
      tellWindow()
    },
    togglePlay: () => setPlaying(!isPlaying),
    setOverlays: overlays.setOn,
    clear: () => {
      setPlaying(false)
      series.abort()
      series = new AbortController()
      stack = EMPTY
      ownWindow = undefined
      void overlays.show(undefined)
      wanted = 0
      shown = -1
      isStackSet = false
    },
  }
  return view
}
