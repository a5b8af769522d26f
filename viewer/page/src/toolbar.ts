import { element, icon, type IconName } from './element.ts'
import type { PresentationState } from './presentation-state.ts'
import type { ToolName } from './stack-tools.ts'
import type { StackView } from './stack-view-options.ts'
import { texts } from './texts.ts'
import { presentWindow, type ViewerWindowPreset } from './window-presets.ts'

type Toolbar = {
  root: HTMLElement
  /** Enables the controls of a series; none without a picture. */
  setSeries: (
    series: { presets: ViewerWindowPreset[]; isColour: boolean; count: number; hasOverlays: boolean } | undefined,
  ) => void
  /** Key images and states that the study holds of the series that is shown. */
  setMarks: (marks: {
    states: readonly PresentationState[]
    state: PresentationState | undefined
    keyCount: number
    isKeyOnly: boolean
    hasOverlays: boolean
  }) => void
  setPlaying: (isPlaying: boolean) => void
  forgetPreset: () => void
}

const TOOLS: readonly ToolName[] = ['adjust', 'pan', 'zoom', 'measure']

export function createToolbar(
  view: () => StackView | undefined,
  handlers: {
    onFullScreen: (() => void) | undefined
    onClose: (() => void) | undefined
    onKeyOnly: () => void
    onOverlays: (isOn: boolean) => void
    /** Undefined for the images as they are stored. */
    onState: (state: PresentationState | undefined) => void
  },
  ...more: HTMLElement[]
): Toolbar {
  let presets: ViewerWindowPreset[] = []
  const tools = TOOLS.map((tool) => {
    const button = iconButton(tool, texts[tool], () => choose(tool))
    button.setAttribute('aria-pressed', String(tool === 'adjust'))
    return { tool, button }
  })
  const choose = (chosen: ToolName) => {
    view()?.setTool(chosen)
    for (const { tool, button } of tools) button.setAttribute('aria-pressed', String(tool === chosen))
  }
  const windows = element('select', { 'aria-label': texts.windowPreset, class: 'presets' })
  windows.addEventListener('change', () => {
    const preset = presets[windows.selectedIndex - 1]
    if (preset !== undefined) view()?.setWindow(preset)
  })
  const invert = iconButton('invert', texts.invert, () => view()?.invert())
  const reset = iconButton('reset', texts.reset, () => {
    view()?.reset()
    windows.selectedIndex = 0
  })
  const overlays = iconButton('overlays', texts.overlays, () => {
    const isOn = overlays.getAttribute('aria-pressed') !== 'true'
    overlays.setAttribute('aria-pressed', String(isOn))
    handlers.onOverlays(isOn)
  })
  overlays.setAttribute('aria-pressed', 'true')
  overlays.hidden = true
  let listed: readonly PresentationState[] = []
  const states = element('select', { 'aria-label': texts.presentation, class: 'presets' })
  states.addEventListener('change', () => handlers.onState(listed[states.selectedIndex - 1]))
  const keyOnly = iconButton('key', texts.keyImages, handlers.onKeyOnly)
  const play = iconButton('play', texts.play, () => view()?.togglePlay())
  const drawing = [...tools.map(({ button }) => button), windows, invert, reset, play]
  const root = element(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': texts.tools },
    element(
      'div',
      { class: 'tools' },
      element('div', { class: 'group' }, ...tools.map(({ button }) => button)),
      element('div', { class: 'group' }, windows, states, invert, reset, overlays, keyOnly),
      element('div', { class: 'group' }, play),
      ...more,
    ),
    element(
      'div',
      { class: 'group end' },
      ...(handlers.onFullScreen ? [iconButton('full', texts.fullScreen, handlers.onFullScreen)] : []),
      ...(handlers.onClose ? [iconButton('close', texts.close, handlers.onClose)] : []),
    ),
  )
  return {
    root,
    setSeries: (series) => {
      presets = series?.presets ?? []
      windows.replaceChildren(
        element('option', { value: '' }, texts.windowChoice),
        ...presets.map((preset) => element('option', {}, presentWindow(preset))),
      )
      for (const control of drawing) control.disabled = series === undefined
      windows.disabled ||= series?.isColour ?? true
      play.disabled ||= (series?.count ?? 0) < 2
      overlays.hidden = !series?.hasOverlays
      if (!series) states.hidden = keyOnly.hidden = true
    },
    setMarks: (marks) => {
      listed = marks.states
      states.replaceChildren(
        element('option', {}, texts.presentationOwn),
        ...marks.states.map(({ label }) => element('option', {}, label)),
      )
      states.selectedIndex = marks.state ? marks.states.indexOf(marks.state) + 1 : 0
      states.hidden = marks.states.length === 0
      keyOnly.hidden = marks.keyCount === 0
      keyOnly.setAttribute('aria-pressed', String(marks.isKeyOnly))
      nameButton(keyOnly, `${texts.keyImages} (${marks.keyCount})`)
      overlays.hidden = !marks.hasOverlays
    },
    setPlaying: (isPlaying) => {
      const name = isPlaying ? 'pause' : 'play'
      play.replaceChildren(icon(name))
      nameButton(play, texts[name])
    },
    forgetPreset: () => {
      windows.selectedIndex = 0
    },
  }
}

function iconButton(name: IconName, label: string, handleClick: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'tool', 'data-tool': name }, icon(name))
  nameButton(button, label)
  button.addEventListener('click', handleClick)
  return button
}

function nameButton(button: HTMLButtonElement, label: string): void {
  button.setAttribute('aria-label', label)
  button.title = label
}
