import { type Clip, findClip } from './clips.ts'
import { element } from './element.ts'
import { texts } from './texts.ts'

export type Screen = {
  root: HTMLElement
  picture: HTMLDivElement
  slider: HTMLInputElement
  /** Words instead of a picture. */
  say: (text: string, again?: () => void) => void
  showImage: (index: number, count: number, clips: readonly Clip[], fault: string | undefined) => void
  showWindow: (window: { center: number; width: number } | undefined) => void
}

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
  const root = element('div', { class: 'screen' }, picture, words, place, windowText, slider)
  picture.addEventListener('contextmenu', (event) => event.preventDefault())

  function setWords(text: string, again?: () => void): void {
    words.replaceChildren(...(text === '' ? [] : [element('p', {}, text)]))
    if (again !== undefined) {
      const button = element('button', { type: 'button', class: 'again' }, texts.tryAgain)
      button.addEventListener('click', again)
      words.append(button)
    }
    words.hidden = text === ''
  }

  return {
    root,
    picture,
    slider,
    say: (text, again) => {
      setWords(text, again)
      root.dataset['state'] = 'words'
      place.textContent = ''
      windowText.textContent = ''
      slider.hidden = true
    },
    showImage: (index, count, clips, fault) => {
      setWords(fault ?? '')
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
