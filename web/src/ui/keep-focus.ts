/** How long the page itself may take to put the focus somewhere better. */
const patienceMs = 80
const places = 'dialog, [role=dialog], [role=tabpanel], form, section, nav, search, main'

/**
 * Keeps the focus from being lost: when what had it goes away (a row, a form, a whole screen) or cannot have it any
 * more, the nearest place around it takes it, and a control that was only out of use for a while gets it back. Without
 * this a keyboard or a screen reader would start again at the top of the page. Focus that a pointer takes away stays
 * away.
 * @returns ends it
 */
export function keepFocus(page: Document): () => void {
  let last: { element: HTMLElement; around: readonly HTMLElement[] } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLost = () => page.activeElement === null || page.activeElement === page.body
  const look = () => {
    if (!last || !isLost()) return
    if (canTake(last.element)) last.element.focus({ preventScroll: true })
    if (!isLost()) return
    // A control that is out of use while its act runs will be back.
    if (last.element.isConnected && isOutOfUse(last.element)) return
    const place = last.around.find((one) => one.isConnected && one.matches(places) && isShown(one))
    takeFocus(place ?? page.querySelector('main') ?? undefined)
  }
  const noticeChange = () => {
    if (!last || !isLost()) return
    clearTimeout(timer)
    timer = setTimeout(look, patienceMs)
  }
  const noticeFocus = ({ target }: Event) => {
    if (target instanceof HTMLElement) last = { element: target, around: ancestorsOf(target) }
  }
  const noticePointer = () => {
    last = undefined
  }
  const observer = new MutationObserver(noticeChange)
  observer.observe(page.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert', 'hidden', 'open'],
  })
  page.addEventListener('focusin', noticeFocus)
  page.addEventListener('pointerdown', noticePointer, true)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    page.removeEventListener('focusin', noticeFocus)
    page.removeEventListener('pointerdown', noticePointer, true)
  }
}

function canTake(element: HTMLElement): boolean {
  return element.isConnected && !isOutOfUse(element) && isShown(element)
}

function isOutOfUse(element: HTMLElement): boolean {
  return 'disabled' in element && element.disabled === true
}

function isShown(element: HTMLElement): boolean {
  return element.closest('[inert]') === null && element.checkVisibility()
}

function takeFocus(place: HTMLElement | undefined): void {
  if (!place) return
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
}

/** Remembered while they are around it: what is taken out of the page knows only what was taken out with it. */
function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let one = element.parentElement; one; one = one.parentElement) found.push(one)
  return found
}
