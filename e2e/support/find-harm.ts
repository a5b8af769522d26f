import type { Frame, Page } from 'playwright-core'
import { isUnopened } from './viewed-study.ts'

/**
 * Lists faults of the screen: something ran or was made of a text, the page or its panes grew beyond the window, or
 * plain words are drawn backwards because a text beside them turned the direction.
 * @param within the part of the page whose texts are looked at, where the rest has been already
 */
export async function findHarm(page: Page, within = 'html'): Promise<string[]> {
  const inner = page.frames().filter((frame) => frame !== page.mainFrame() && !isUnopened(frame))
  const harms = await Promise.all([
    findHarmIn(page.mainFrame(), within),
    ...inner.map((frame) => findHarmIn(frame, 'html')),
  ])
  return harms.flat()
}

function findHarmIn(frame: Frame, within: string): Promise<string[]> {
  return frame.evaluate((selector) => {
    const root = document.querySelector(selector)
    if (!root) return [`there is no ${selector}`]
    const harms: string[] = []
    if ('ran' in window) harms.push('something ran')
    for (const element of root.querySelectorAll('*')) {
      const made = element.getAttributeNames().filter((name) => /^on|^srcdoc$|^background$|[^a-z0-9:_-]/i.test(name))
      const leads = ['href', 'src', 'action', 'data', 'xlink:href'].map((name) => element.getAttribute(name) ?? '')
      const isForeign = leads.some((lead) => /^\s*(javascript|vbscript|data:text)|evil/i.test(lead))
      const isOdd = /^(base|object|embed|marquee|isindex|math|template|x|noscript)$/i.test(element.localName)
      const isInline = element.localName === 'script' && !element.hasAttribute('src')
      if (made.length > 0 || isForeign || (isOdd && element.parentElement !== document.body) || isInline)
        harms.push(`made of a text: ${element.outerHTML.slice(0, 120)}`)
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) harms.push(`the page is ${scrollWidth - clientWidth} px too wide`)
    for (const pane of document.querySelectorAll('main section, [role=tabpanel], [role=dialog]')) {
      const isScrolled = /auto|scroll/.test(getComputedStyle(pane).overflowX)
      if (!isScrolled && pane.getBoundingClientRect().right > clientWidth + 1)
        harms.push(`a pane leaves the window: ${pane.getAttribute('aria-label') ?? pane.className}`)
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const word = /^[\u0020-\u007e]*?([A-Za-z0-9]{4,})[\u0020-\u007e]*$/.exec(node.nodeValue ?? '')?.[1]
      if (!word) continue
      const start = (node.nodeValue ?? '').indexOf(word)
      range.setStart(node, start)
      range.setEnd(node, start + 1)
      const first = range.getBoundingClientRect()
      range.setStart(node, start + 1)
      range.setEnd(node, start + 2)
      const second = range.getBoundingClientRect()
      if (first.top === second.top && second.left < first.left) harms.push(`drawn backwards: ${node.nodeValue}`)
    }
    return [...new Set(harms)]
  }, within)
}
