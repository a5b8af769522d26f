import { cache, Enums, RenderingEngine, type Types } from '@cornerstonejs/core'
import {
  Enums as ToolEnums,
  LengthTool,
  PanTool,
  ToolGroupManager,
  WindowLevelTool,
  ZoomTool,
} from '@cornerstonejs/tools'
import { type Clip, findClip, findClipStart } from './clips.ts'
import { ImageFault, loadImage } from './cornerstone.ts'
import type { WindowPreset } from './window-presets.ts'

export type ToolName = 'adjust' | 'pan' | 'zoom' | 'measure'

export type StackViewEvents = {
  onImage: (index: number, fault: string | undefined) => void
  onWindow: (center: number, width: number) => void
  onPlaying: (isPlaying: boolean) => void
}

const TOOLS = { adjust: WindowLevelTool, pan: PanTool, zoom: ZoomTool, measure: LengthTool }
const { MouseBindings } = ToolEnums
/** The same as `--dark` in style.css. */
const NEAR_BLACK: [number, number, number] = [7 / 255, 9 / 255, 11 / 255]
const VIEWPORT = 'image'
const LEAP = 10
const PREFETCH_LANES = 3
const PREFETCH_SHARE_OF_CACHE = 0.8

export type StackView = {
  open: (imageIds: string[], clips: Clip[], framesPerSecond: number) => Promise<void>
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
  clear: () => void
}

/** One stack of images in an element. What is asked last wins: fast scrolling skips images rather than falling behind. */
export function createStackView(host: HTMLDivElement, events: StackViewEvents): StackView {
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
  let imageIds: string[] = []
  let clips: Clip[] = []
  let wanted = 0
  let shown = -1
  let isStackSet = false
  let isMoving = false
  let series = 0
  let frameMs = 100
  let isPlaying = false

  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    try {
      while (shown !== wanted && imageIds.length > 0) await show(wanted, series)
    } finally {
      isMoving = false
    }
  }

  async function show(index: number, ofSeries: number): Promise<void> {
    let fault: string | undefined
    try {
      await loadImage(imageIds[index] ?? '')
      if (ofSeries !== series) return
      if (isStackSet) await viewport.setImageIdIndex(index)
      else await viewport.setStack(imageIds, index)
      isStackSet = true
      viewport.render()
    } catch (error) {
      fault = (error instanceof ImageFault ? error : new ImageFault(error)).message
    }
    if (ofSeries !== series) return
    shown = index
    events.onImage(index, fault)
    if (fault === undefined) tellWindow()
  }

  function tellWindow(): void {
    const range = viewport.getProperties().voiRange
    // Null where a lookup table in the file maps the values (PS3.3 C.11.2).
    if (range) events.onWindow((range.upper + range.lower + 1) / 2, range.upper - range.lower + 1)
  }

  async function prefetch(): Promise<void> {
    const ofSeries = series
    const queue = imageIds.map((_, at) => at).filter((at) => at !== wanted)
    const limit = cache.getMaxCacheSize() * PREFETCH_SHARE_OF_CACHE
    const lane = async () => {
      for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
        if (ofSeries !== series || cache.getCacheSize() > limit) return
        // A faulty image tells its reason when somebody comes to it.
        await loadImage(imageIds[at] ?? '').catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: PREFETCH_LANES }, lane))
  }

  async function play(): Promise<void> {
    const ofSeries = series
    const goesOn = () => isPlaying && ofSeries === series
    while (goesOn()) {
      const started = performance.now()
      const clip = findClip(clips, shown, imageIds.length)
      wanted = clip.start + ((shown - clip.start + 1) % clip.count)
      await move()
      const leftMs = frameMs - (performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)))
    }
  }

  function setPlaying(value: boolean): void {
    if (isPlaying === value || (value && findClip(clips, wanted, imageIds.length).count < 2)) return
    isPlaying = value
    events.onPlaying(value)
    if (value) void play()
  }

  host.addEventListener(Enums.Events.VOI_MODIFIED, tellWindow)
  new ResizeObserver(() => engine.resize(true, true)).observe(host)
  tools.addViewport(VIEWPORT, engine.id)

  const view: StackView = {
    open: async (ids, ofClips, framesPerSecond) => {
      view.clear()
      imageIds = ids
      clips = ofClips
      frameMs = 1000 / framesPerSecond
      await move()
      void prefetch()
    },
    goTo: (index) => {
      setPlaying(false)
      wanted = Math.min(imageIds.length - 1, Math.max(0, index))
      void move()
    },
    step: (by) => view.goTo(wanted + by),
    leap: (by) => view.goTo(findClipStart(clips, wanted, by) ?? wanted + by * LEAP),
    setTool: (tool) => activate(tools, tool),
    setWindow: ({ center, width }) => {
      if (!isStackSet) return
      if (Number.isNaN(width)) viewport.resetProperties()
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
      viewport.resetProperties()
      viewport.resetCamera()
      viewport.render()
      tellWindow()
    },
    togglePlay: () => setPlaying(!isPlaying),
    clear: () => {
      setPlaying(false)
      series++
      imageIds = []
      clips = []
      wanted = 0
      shown = -1
      isStackSet = false
    },
  }
  return view
}

function createTools() {
  const group = ToolGroupManager.createToolGroup('quick')
  if (group === undefined) throw new Error('The tools are there already')
  for (const tool of Object.values(TOOLS)) group.addTool(tool.toolName)
  activate(group, 'adjust')
  return group
}

type ToolGroup = ReturnType<typeof createTools>

/** The left button belongs to the chosen tool; middle pans, right zooms, two fingers zoom, always. */
function activate(group: ToolGroup, tool: ToolName): void {
  for (const other of Object.values(TOOLS)) group.setToolPassive(other.toolName, { removeAllBindings: true })
  const bindings = {
    adjust: [],
    pan: [{ mouseButton: MouseBindings.Auxiliary }],
    zoom: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }],
    measure: [],
  }
  for (const name of ['pan', 'zoom', tool] as const) {
    const chosen = name === tool ? [{ mouseButton: MouseBindings.Primary }] : []
    group.setToolActive(TOOLS[name].toolName, { bindings: [...bindings[name], ...chosen] })
  }
}
