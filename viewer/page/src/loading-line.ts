import { element } from './element.ts'
import { texts } from './texts.ts'

/** How a video comes: words that are announced, and a bar that is not, since it changes too often. */
type LoadingLine = {
  root: HTMLElement
  say: (text: string) => void
  /** @param share from 0 to 1 */
  showShare: (share: number) => void
}

export function createLoadingLine(name: string, text = ''): LoadingLine {
  const words = element('p', { class: 'video-words', role: 'status' }, text)
  const bar = element('progress', { class: 'video-share', max: 1, value: 0, 'aria-label': texts.videoShare(name) })
  bar.hidden = true
  return {
    root: element('div', {}, words, bar),
    say: (said) => {
      words.textContent = said
      bar.hidden = true
    },
    showShare: (share) => {
      bar.value = share
      bar.hidden = false
    },
  }
}
