import { type Clip, findClip } from './clips.ts'
import type { Corners } from './corners.ts'
import { element } from './element.ts'
import { createLegend } from './legend.ts'
import type { Segment } from './segmentation.ts'
import { texts } from './texts.ts'
import { PATIENCE_MS } from './within-time.ts'

type Screen = {
  root: HTMLElement
  picture: HTMLDivElement
  slider: HTMLInputElement
  /** Words instead of a picture, and a way on. */
  say: (text: string, wayOn?: () => void, wayOnName?: string) => void
  /** Something other than a picture, in its place. */
  showSheet: (sheet: HTMLElement) => void
  /** Words while something comes; other words when it does not come in time. */
  wait: (text: string) => void
  isWaiting: () => boolean
  showCorners: (corners: Corners | undefined) => void
  toggleCorners: () => void
  setOverlays: (isOn: boolean) => void
  showImage: (
    index: number,
    count: number,
    clips: readonly Clip[],
    fault: string | undefined,
    again?: () => void,
  ) => void
  /** Lines about the image by other objects of its study: that it is a key image, which presentation shows it. */
  showRemarks: (lines: readonly string[]) => void
  showLegend: (segments: readonly Segment[]) => void
  showWindow: (window: { center: number; width: number } | undefined) => void
}

const SIDES = ['left', 'right', 'top', 'bottom'] as const

/** The dark area: picture, its place in the stack, its window, and words when there is nothing to see. */
export function createScreen(): Screen {
  const picture = element('div', { class: 'picture-area', tabindex: 0, role: 'group', 'aria-label': texts.viewport })
  const place = element('span', { class: 'place', role: 'status' })
  const windowText = element('span', { class: 'window' })
  const slider = element('input', {
    type: 'range',
    class: 'slider',
    min: 0,
    max: 0,
    value: 0,
    'aria-label': texts.position,
  })
  const words = element('div', { class: 'words', role: 'status' })
  const who = element('div', { class: 'corner who' })
  const marker = element('span', { class: 'marker' })
  const remarks = element('div', { class: 'remarks' })
  const legend = createLegend()
  const slice = element('span', { class: 'slice' })
  const edges = {
    left: element('span', { class: 'edge left' }),
    right: element('span', { class: 'edge right' }),
    top: element('span', { class: 'edge top' }),
    bottom: element('span', { class: 'edge bottom' }),
  }
  const written = element(
    'div',
    { class: 'written' },
    who,
    marker,
    remarks,
    legend.root,
    slice,
    ...Object.values(edges),
  )
  const root = element('div', { class: 'screen' }, picture, written, words, place, windowText, slider)
  picture.addEventListener('contextmenu', (event) => event.preventDefault())

  let slowAt = 0
  let slow: ReturnType<typeof setTimeout> | undefined

  function setWords(text: string, again?: () => void, name: string = texts.tryAgain): void {
    clearTimeout(slow)
    slow = undefined
    delete words.dataset['busy']
    words.replaceChildren(...(text === '' ? [] : [element('p', {}, text)]))
    if (again !== undefined) {
      const button = element('button', { type: 'button', class: 'again' }, name)
      button.addEventListener('click', again)
      words.append(button)
    }
    words.hidden = text === ''
  }

  function say(text: string, wayOn?: () => void, wayOnName?: string): void {
    setWords(text, wayOn, wayOnName)
    root.querySelector('.sheet')?.remove()
    root.dataset['state'] = 'words'
    place.textContent = ''
    windowText.textContent = ''
    slider.hidden = true
  }

  return {
    root,
    picture,
    slider,
    say,
    showSheet: (sheet) => {
      say('')
      root.dataset['state'] = 'sheet'
      root.append(sheet)
    },
    wait: (text) => {
      // one patience for all that comes before the first picture
      if (slow === undefined) slowAt = Date.now() + PATIENCE_MS
      say(text)
      words.dataset['busy'] = ''
      slow = setTimeout(() => setWords(texts.studySlow), Math.max(0, slowAt - Date.now()))
    },
    isWaiting: () => 'busy' in words.dataset,
    showCorners: (corners) => {
      who.replaceChildren(...(corners?.patient ?? []).map((line) => element('span', {}, line)))
      marker.textContent = corners?.marker ?? ''
      slice.textContent = corners?.slice ?? ''
      for (const side of SIDES) edges[side].textContent = corners?.letters?.[side] ?? ''
    },
    toggleCorners: () => {
      root.toggleAttribute('data-bare')
    },
    setOverlays: (isOn) => {
      root.toggleAttribute('data-no-overlays', !isOn)
    },
    showImage: (index, count, clips, fault, again) => {
      setWords(fault ?? '', again)
      root.querySelector('.sheet')?.remove()
      root.dataset['state'] = fault === undefined ? 'image' : 'fault'
      const clip = findClip(clips, index, count)
      const image = texts.imageOf(index - clip.start + 1, clip.count)
      place.textContent = clips.length > 1 ? texts.clipOf(clip.number, clips.length, image) : image
      slider.hidden = count < 2
      slider.max = String(count - 1)
      slider.value = String(index)
      slider.setAttribute('aria-valuetext', place.textContent)
    },
    showRemarks: (lines) => remarks.replaceChildren(...lines.map((line) => element('span', {}, line))),
    showLegend: legend.show,
    showWindow: (window) => {
      windowText.textContent = window === undefined ? '' : texts.windowValues(window.center, window.width)
    },
  }
}
