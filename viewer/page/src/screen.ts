import { type Clip, findClip } from './clips.ts'
import type { Corners } from './corners.ts'
import { element } from './element.ts'
import { texts } from './texts.ts'

export type Screen = {
  root: HTMLElement
  picture: HTMLDivElement
  slider: HTMLInputElement
  /** Words instead of a picture, and a way on. */
  say: (text: string, wayOn?: () => void, wayOnName?: string) => void
  /** Words while something comes. */
  wait: (text: string) => void
  showCorners: (corners: Corners | undefined) => void
  toggleCorners: () => void
  showImage: (
    index: number,
    count: number,
    clips: readonly Clip[],
    fault: string | undefined,
    again?: () => void,
  ) => void
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
  const slice = element('span', { class: 'slice' })
  const edges = {
    left: element('span', { class: 'edge left' }),
    right: element('span', { class: 'edge right' }),
    top: element('span', { class: 'edge top' }),
    bottom: element('span', { class: 'edge bottom' }),
  }
  const written = element('div', { class: 'written' }, who, marker, slice, ...Object.values(edges))
  const root = element('div', { class: 'screen' }, picture, written, words, place, windowText, slider)
  picture.addEventListener('contextmenu', (event) => event.preventDefault())

  function setWords(text: string, again?: () => void, name: string = texts.tryAgain): void {
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
    wait: (text) => {
      say(text)
      words.dataset['busy'] = ''
    },
    showCorners: (corners) => {
      who.replaceChildren(...(corners?.patient ?? []).map((line) => element('span', {}, line)))
      marker.textContent = corners?.marker ?? ''
      slice.textContent = corners?.slice ?? ''
      for (const side of SIDES) edges[side].textContent = corners?.letters?.[side] ?? ''
    },
    toggleCorners: () => {
      root.toggleAttribute('data-bare')
    },
    showImage: (index, count, clips, fault, again) => {
      setWords(fault ?? '', again)
      root.dataset['state'] = fault === undefined ? 'image' : 'fault'
      const clip = findClip(clips, index, count)
      const image = texts.imageOf(index - clip.start + 1, clip.count)
      place.textContent = clips.length > 1 ? texts.clipOf(clip.number, clips.length, image) : image
      slider.hidden = count < 2
      slider.max = String(count - 1)
      slider.value = String(index)
      slider.setAttribute('aria-valuetext', place.textContent)
    },
    showWindow: (window) => {
      windowText.textContent = window === undefined ? '' : texts.windowValues(window.center, window.width)
    },
  }
}
