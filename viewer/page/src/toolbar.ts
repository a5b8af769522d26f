import { element, icon, type IconName } from './element.ts'
import type { ToolName } from './stack-tools.ts'
import type { StackView } from './stack-view.ts'
import { texts } from './texts.ts'
import { presentWindow, type WindowPreset } from './window-presets.ts'

export type Toolbar = {
  root: HTMLElement
  /** Enables the controls of a series; none without a picture. */
  setSeries: (
    series: { presets: WindowPreset[]; isColour: boolean; count: number; hasOverlays: boolean } | undefined,
  ) => void
  setPlaying: (isPlaying: boolean) => void
  forgetPreset: () => void
}

const TOOLS: readonly ToolName[] = ['adjust', 'pan', 'zoom', 'measure']

export function createToolbar(
  view: () => StackView | undefined,
  handleFullScreen: () => void,
  handleClose: (() => void) | undefined,
): Toolbar {
  let presets: WindowPreset[] = []
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
    view()?.setOverlays(isOn)
  })
  overlays.setAttribute('aria-pressed', 'true')
  overlays.hidden = true
  const play = iconButton('play', texts.play, () => view()?.togglePlay())
  const drawing = [...tools.map(({ button }) => button), windows, invert, reset, play]
  const root = element(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': texts.tools },
    element('div', { class: 'group' }, ...tools.map(({ button }) => button)),
    element('div', { class: 'group' }, windows, invert, reset, overlays),
    element('div', { class: 'group' }, play),
    element(
      'div',
      { class: 'group end' },
      iconButton('full', texts.fullScreen, handleFullScreen),
      ...(handleClose ? [iconButton('close', texts.close, handleClose)] : []),
    ),
  )
  return {
    root,
    setSeries: (series) => {
      presets = series?.presets ?? []
      windows.replaceChildren(
        element('option', { value: '' }, texts.windowPreset),
        ...presets.map((preset) => element('option', {}, presentWindow(preset))),
      )
      for (const control of drawing) control.disabled = series === undefined
      windows.disabled ||= series?.isColour ?? true
      play.disabled ||= (series?.count ?? 0) < 2
      overlays.hidden = !series?.hasOverlays
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
