import { expect } from 'vitest'
import type { Frame, Page } from 'playwright-core'

/**
 * Lists faults of room on the screen, or in the dialog that is open over it: the whole page scrolls sideways, a control
 * or its label is cut off and no scrollbar leads there, a control lies below something else, a text lies over another or out of its cell, a short word is broken.
 * @param within the part of the page that can be acted on, where it is no dialog
 */
export async function findCutOff(page: Page | Frame, within = 'body'): Promise<string[]> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  return page.evaluate((selector) => {
    /** Less is a matter of rounding, px. */
    const slack = 1.5
    const acting =
      'a[href]:not([class*=skip]), button, input:not([type=hidden]), select, textarea, summary, iframe, [role=tab], [role=option], [role=menuitem], [role=separator][tabindex], [tabindex="0"]'
    interface Box {
      left: number
      top: number
      right: number
      bottom: number
    }
    const faults: string[] = []
    const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog][aria-modal=true]')]
    const root = dialogs.at(-1) ?? document.querySelector(selector) ?? document.body
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 50) || element.id || element.className}"`
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], [aria-hidden=true]') === null

    /** The element whose overflow, position and scrollbars decide next about a box of `element`. */
    const holderOf = (element: Element): Element | undefined => {
      const { position } = getComputedStyle(element)
      if (position === 'fixed' || element.matches('dialog[open]')) return undefined
      if (position !== 'absolute') return element.parentElement ?? undefined
      let holder = element.parentElement
      while (holder) {
        const style = getComputedStyle(holder)
        if (style.position !== 'static' || style.transform !== 'none' || style.contain.includes('paint')) break
        holder = holder.parentElement
      }
      return holder ?? undefined
    }
    const isSoftened = (style: CSSStyleDeclaration) =>
      style.textOverflow === 'ellipsis' || /\d/.test(style.getPropertyValue('-webkit-line-clamp'))

    /**
     * The part of a box that can be seen once all scrollbars were used; a fault where something is lost.
     * @param element that the box is of
     * @param isText whether dots may stand for what is lost
     */
    const reach = (element: Element, box: Box, isText: boolean): { seen: Box; lost?: string } => {
      const seen: Box = { left: box.left, top: box.top, right: box.right, bottom: box.bottom }
      let from: Element | undefined = isText ? element : holderOf(element)
      let isScrolledText = false
      let isFixed = !isText && from === undefined
      while (from && from !== document.body && from !== document.documentElement) {
        const holder = from
        const style = getComputedStyle(holder)
        const outer = holder.getBoundingClientRect()
        const inner: Box = {
          left: outer.left + holder.clientLeft,
          top: outer.top + holder.clientTop,
          right: outer.left + holder.clientLeft + holder.clientWidth,
          bottom: outer.top + holder.clientTop + holder.clientHeight,
        }
        for (const [overflow, start, end, scrolled, whole, room] of [
          [style.overflowX, 'left', 'right', holder.scrollLeft, holder.scrollWidth, holder.clientWidth],
          [style.overflowY, 'top', 'bottom', holder.scrollTop, holder.scrollHeight, holder.clientHeight],
        ] as const) {
          if (overflow === 'visible' || style.display === 'inline') continue
          const isScrolled = overflow === 'auto' || overflow === 'scroll'
          const first = isScrolled ? inner[start] - scrolled : inner[start]
          const last = isScrolled ? first + whole : inner[end]
          const isLost = seen[start] < first - slack || seen[end] > last + slack
          if (isLost && !isSoftened(style)) return { seen, lost: `${start}–${end} outside of ${nameOf(holder)}` }
          // beside each other in the same scrolled part texts are compared where they are
          if (isText && isScrolled) {
            isScrolledText = true
            continue
          }
          const isNarrow = isScrolled && room < Math.min(seen[end] - seen[start], 40) - slack
          if (isNarrow) return { seen, lost: `only ${room} px between ${start} and ${end} of ${nameOf(holder)}` }
          // scrolled to where it shows
          const shift = isScrolled ? Math.min(0, inner[end] - seen[end]) || Math.max(0, inner[start] - seen[start]) : 0
          seen[start] = Math.max(seen[start] + shift, inner[start])
          seen[end] = Math.min(seen[end] + shift, inner[end])
          if (seen[end] < seen[start]) seen[end] = seen[start]
        }
        if (isScrolledText) return { seen }
        from = holderOf(holder)
        isFixed = from === undefined
      }
      const page = document.scrollingElement ?? document.documentElement
      const isStill =
        isFixed || [document.documentElement, document.body].some((one) => getComputedStyle(one).overflowY === 'hidden')
      const [down, across] = isStill ? [0, 0] : [page.scrollTop, page.scrollLeft]
      const height = isStill ? window.innerHeight : page.scrollHeight
      const isOutside =
        seen.left + across < -slack ||
        seen.top + down < -slack ||
        seen.right + across > window.innerWidth + slack ||
        seen.bottom + down > height + slack
      return isOutside ? { seen, lost: 'outside of the window' } : { seen }
    }

    const wide = (document.scrollingElement ?? document.documentElement).scrollWidth - window.innerWidth
    if (wide > 0) faults.push(`the whole page scrolls sideways, ${wide} px`)

    const scrolled = [...document.querySelectorAll('*')]
      .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
      .map((one) => [one, one.scrollTop, one.scrollLeft] as const)
    const scrollBack = () => scrolled.forEach(([one, top, left]) => one.scrollTo({ top, left, behavior: 'instant' }))

    const controls = [...root.querySelectorAll(acting)].filter((control) => {
      const { width, height } = control.getBoundingClientRect()
      return isShown(control) && width > 2 && height > 2
    })
    const windows = document.querySelectorAll('dialog[open], [role=dialog], [role=menu], [role=listbox]')
    for (const control of [...windows].filter(isShown).concat(controls)) {
      const { lost } = reach(control, control.getBoundingClientRect(), false)
      if (lost) faults.push(`${nameOf(control)} is cut off: ${lost}`)
    }
    for (const control of controls) {
      if (
        control.matches(':disabled, [data-disabled], [aria-disabled=true]') ||
        getComputedStyle(control).pointerEvents === 'none'
      )
        continue
      let cover: Element | null = null
      const isFree = (['nearest', 'center'] as const).some((block) => {
        control.scrollIntoView({ block, inline: block, behavior: 'instant' })
        // of a link in two lines the middle may be empty
        const { left, top, width, height } = control.getClientRects()[0] ?? control.getBoundingClientRect()
        const [x, y] = [
          Math.min(left + width / 2, window.innerWidth - 2),
          Math.min(top + height / 2, window.innerHeight - 2),
        ]
        cover = document.elementFromPoint(x, y)
        if (!cover) return false
        if (cover.contains(control) && cover !== document.body && cover !== document.documentElement) return true
        return (
          control.contains(cover) ||
          cover.closest('label')?.contains(control) === true ||
          cover.closest('[role=listbox], [role=menu]') !== null
        )
      })
      if (!isFree) faults.push(`${nameOf(control)} is below ${cover ? nameOf(cover) : 'the edge of the window'}`)
    }
    scrollBack()

    /** Lines of text as they are drawn, without what dots stand for. */
    const lines: { of: Element; box: Box; scroller: Element | undefined; words: string }[] = []
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const scrollerOf = (element: Element): Element | undefined => {
      let one: Element | undefined = element
      while (one && !/auto|scroll/.test(getComputedStyle(one).overflow)) one = holderOf(one)
      return one
    }
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const of = node.parentElement
      const words = node.textContent?.trim() ?? ''
      if (
        !of ||
        words === '' ||
        of.closest('option, svg, script, style, [class*=skip]') ||
        !of.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue
      const isHeardOnly =
        of.closest('[class*="heard"], [class*="VisuallyHidden"]') !== null ||
        getComputedStyle(of).clip !== 'auto' ||
        of.clientWidth === 1
      if (isHeardOnly) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      if (range.getClientRects().length > 1) {
        for (const word of (node.textContent ?? '').matchAll(/\S+/g)) {
          if (!/^[\p{Script=Latin}.,:;()'’]{4,14}$/u.test(word[0])) continue
          const letters = document.createRange()
          letters.setStart(node, word.index)
          letters.setEnd(node, word.index + word[0].length)
          const heights = [...letters.getClientRects()].map(({ top }) => Math.round(top))
          if (heights.some((height) => Math.abs(height - (heights[0] ?? 0)) > 4))
            faults.push(`the word "${word[0]}" is broken`)
        }
        range.selectNodeContents(node)
      }
      const cell = of.closest('td, th')?.getBoundingClientRect()
      for (const box of range.getClientRects()) {
        const { seen, lost } = reach(of, box, true)
        if (lost) {
          faults.push(`the text "${words.slice(0, 50)}" is cut off: ${lost}`)
          break
        }
        if (cell && seen.right > cell.right + 0.5 && seen.right - seen.left > 3)
          faults.push(`"${words.slice(0, 40)}" runs out of its cell`)
        // letters are lower than their line
        const spare = (seen.bottom - seen.top) * 0.2
        if (seen.right - seen.left > 3 && seen.bottom - seen.top > 3)
          lines.push({
            of,
            words,
            scroller: scrollerOf(of),
            box: { ...seen, top: seen.top + spare, bottom: seen.bottom - spare },
          })
      }
    }
    /** Whether an element stands on a ground of its own over everything else in `within`. */
    const isLaidOver = (element: Element, within: Element): boolean => {
      for (let one: Element | null = element; one && one !== within; one = one.parentElement) {
        const style = getComputedStyle(one)
        if (
          style.position !== 'static' &&
          style.position !== 'relative' &&
          style.backgroundColor !== 'rgba(0, 0, 0, 0)'
        )
          return true
      }
      return false
    }
    for (const [k, one] of lines.entries()) {
      for (const other of lines.slice(k + 1)) {
        if (one.of === other.of || one.scroller !== other.scroller) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (across <= 2 || down <= 2) continue
        let within: Element = one.of
        while (!within.contains(other.of)) within = within.parentElement ?? document.documentElement
        if (isLaidOver(one.of, within) || isLaidOver(other.of, within)) continue
        faults.push(`"${one.words.slice(0, 40)}" lies over "${other.words.slice(0, 40)}"`)
      }
    }
    return [...new Set(faults)]
  }, within)
}
