import { Enums, getShouldUseCPURendering, type Types } from '@cornerstonejs/core'
import { findClip, findClipStart } from './clips.ts'
import { findLoaded, ImageFault, loadImage } from './cornerstone.ts'
import type { StudySource } from './dicomweb.ts'
import { drawingEngine, VIEWPORT } from './drawing-engine.ts'
import type { GreyCurve } from './grey-curve.ts'
import { findOwnWindow } from './own-window.ts'
import { drawGreysPlainly } from './plain-drawing.ts'
import { prefetch } from './prefetch.ts'
import { createPresentationView } from './presentation-view.ts'
import { resetGreys } from './reset-greys.ts'
import { createRetry } from './retry.ts'
import { createStackLayers, type DrawnMarks } from './stack-layers.ts'
import { activate, createTools } from './stack-tools.ts'
import type { Stack, StackView, StackViewEvents } from './stack-view-options.ts'
import { texts } from './texts.ts'
import type { ValueRange } from './value-range.ts'
import { PATIENCE_MS, SlowError, withinTime } from './within-time.ts'

/** The same as `--dark` in style.css. */
const NEAR_BLACK: [number, number, number] = [7 / 255, 9 / 255, 11 / 255]
const LEAP = 10

const EMPTY: Stack = {
  imageIds: [],
  images: [],
  clips: [],
  isWithoutWindow: false,
  isExact: false,
  isDarkOnLight: false,
}

/** One stack of images in an element. The last request wins: fast scrolling skips images rather than falling behind. */
export function createStackView(host: HTMLDivElement, source: StudySource, events: StackViewEvents): StackView {
  const engine = drawingEngine()
  engine.enableElement({
    viewportId: VIEWPORT,
    type: Enums.ViewportType.STACK,
    element: host,
    defaultOptions: { background: NEAR_BLACK },
  })
  // The library takes its element out of the order of Tab.
  host.tabIndex = 0
  const viewport = engine.getViewport(VIEWPORT) as Types.IStackViewport
  const withSize = drawGreysPlainly(viewport, NEAR_BLACK)
  const tools = createTools()
  const layers = createStackLayers(host, source, () => (isStackSet ? viewport : undefined))
  const presentationView = createPresentationView(viewport, {
    resetWindow,
    onTables: events.onTables,
    isByProcessor: () => !getShouldUseCPURendering(),
  })
  const retry = createRetry(() => void showLayers(shown, false))
  let stack: Stack = EMPTY
  let wanted = 0
  let shown = -1
  let isStackSet = false
  let isMoving = false
  let series = new AbortController()
  let ahead = new AbortController()
  let isAhead = true
  let ownWindow: ValueRange | undefined
  let isPlaying = false
  let isFollowing = false
  let curve: GreyCurve | 'unread' | undefined

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
    retry.end()
    events.onImage(index, fault, isFollowing, again)
    if (fault === undefined) tellWindow()
    await showLayers(index, fault !== undefined)
  }

  async function draw(index: number, signal: AbortSignal): Promise<void> {
    const imageId = stack.imageIds[index] ?? ''
    // the images that the window is taken from come beside the first
    const finding = !isStackSet && stack.isWithoutWindow ? findOwnWindow(stack, index) : undefined
    const loaded = await loadImage(imageId)
    if (signal.aborted) return
    if (loaded !== imageId) {
      stack.imageIds[index] = loaded
      isStackSet = false
    }
    const drawn = await readCurve(index, loaded)
    if (finding) ownWindow ??= await finding
    if (signal.aborted) return
    if (isStackSet) await viewport.setImageIdIndex(index)
    else {
      await viewport.setStack([...stack.imageIds], index)
      setOwnLook()
    }
    const isFresh = !isStackSet
    isStackSet = true
    // made smaller or larger before the stack was there, the place would keep its old measure
    if (isFresh) viewport.resetCamera()
    curve = drawn
    settlePresentation(index, isFresh)
    viewport.render()
  }

  /** Not before the first picture, which it would hold up. */
  function loadAhead(): void {
    ahead.abort()
    if (!isAhead || shown < 0) return
    ahead = new AbortController()
    void prefetch(stack.imageIds, wanted, ahead.signal)
  }

  function showAnew(index: number, signal: AbortSignal): void {
    if (signal.aborted || shown !== index || wanted !== index) return
    shown = -1
    void move()
  }

  /** The window of a series without a stored one, and the direction of its greys. */
  function setOwnLook(): void {
    if (stack.isDarkOnLight) viewport.setProperties({ invert: true })
    if (ownWindow && !findLoaded(stack.imageIds[wanted] ?? '')?.color)
      viewport.setProperties({ voiRange: { lower: ownWindow.low, upper: ownWindow.high } })
  }

  /** Pictures in colour have no curve. */
  async function readCurve(index: number, imageId: string): Promise<GreyCurve | 'unread' | undefined> {
    const image = stack.images[index]
    return image && !findLoaded(imageId)?.color ? layers.readCurve(image) : undefined
  }

  async function setMarks(marks: DrawnMarks): Promise<void> {
    layers.setMarks(marks)
    const index = shown
    if (!isStackSet || index < 0) return
    const { signal } = series
    const drawn = await readCurve(index, stack.imageIds[index] ?? '')
    // whatever was shown meanwhile was drawn with the same marks
    if (signal.aborted || !isStackSet || shown !== index) return
    curve = drawn
    settlePresentation(index)
    viewport.render()
    tellWindow()
    void showLayers(shown, false)
  }

  function settlePresentation(index: number, isFresh = false): void {
    presentationView.settle(layers.presentationOf(stack.images[index]), curve, isFresh)
  }

  async function showLayers(index: number, isFaulty: boolean): Promise<void> {
    const { signal } = series
    const isWhole = await layers.show(
      stack.images[index],
      isFaulty ? undefined : findLoaded(stack.imageIds[index] ?? ''),
    )
    if (signal.aborted || shown !== index) return
    events.onLayers(isWhole)
    if (isWhole) retry.end()
    else retry.later()
  }

  function tellWindow(): void {
    const range = viewport.getProperties().voiRange
    // Null where a lookup table in the file maps the values (PS3.3 C.11.2).
    const more = stack.isExact ? 0 : 1
    if (range) events.onWindow((range.upper + range.lower + more) / 2, range.upper - range.lower + more)
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
    resetGreys(viewport)
    setOwnLook()
  }

  function setPlaying(value: boolean): void {
    if (isPlaying === value || (value && findClip(stack.clips, wanted, stack.imageIds.length).count < 2)) return
    isPlaying = value
    isFollowing = false
    events.onPlaying(value)
    if (value) void play()
  }

  host.addEventListener(Enums.Events.VOI_MODIFIED, tellWindow)
  host.addEventListener(Enums.Events.IMAGE_RENDERED, layers.place)
  // a picture that nobody moved fits its place again, as when another exam is laid beside it
  const isMoved = () =>
    presentationView.isArranged() ||
    Math.abs(viewport.getZoom() - 1) > 0.001 ||
    viewport.getPan().some((by) => Math.abs(by) > 0.5)
  new ResizeObserver(() => withSize(() => engine.resize(true, !isStackSet || isMoved()))).observe(host)
  tools.addViewport(VIEWPORT, engine.id)

  const view: StackView = {
    open: async (opened) => {
      view.clear()
      stack = opened
      wanted = opened.startAt ?? 0
      await move()
      loadAhead()
    },
    goTo: (index, isAsked = false) => {
      setPlaying(false)
      isFollowing = isAsked
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
      settlePresentation(shown, true)
      viewport.render()
      tellWindow()
    },
    togglePlay: () => setPlaying(!isPlaying),
    setOverlays: layers.setOn,
    setMarks: (marks) => void setMarks(marks),
    setAhead: (value) => {
      if (isAhead === value) return
      isAhead = value
      if (isAhead) loadAhead()
      else ahead.abort()
    },
    clear: () => {
      setPlaying(false)
      ahead.abort()
      series.abort()
      series = new AbortController()
      stack = EMPTY
      ownWindow = undefined
      presentationView.forget()
      curve = undefined
      retry.end()
      void layers.show(undefined, undefined)
      wanted = 0
      shown = -1
      isStackSet = false
    },
  }
  return view
}
