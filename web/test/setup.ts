import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// Files share a process, its libraries and its window; the modules of the web itself, the address and the page begin anew.
vi.resetModules()
/** Of the window that the tests have in place of a browser's. */
declare const happyDOM: { setURL: (address: string) => void }
happyDOM.setURL('http://localhost:3000/')
document.body.replaceChildren()

/** A modal dialog takes the focus at its first button, as in browsers; happy-dom opens it alone. */
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true
  this.querySelector('button')?.focus()
}

const element: HTMLElement & { focusAnywhere?: HTMLElement['focus'] } = HTMLElement.prototype
element.focusAnywhere ??= element.focus
const { focusAnywhere } = element
/** Nothing outside of a modal dialog takes the focus, as in browsers: typing would go on elsewhere in the middle of a word. */
element.focus = function focusWithin(this: HTMLElement, options?: FocusOptions) {
  const dialogs = document.querySelectorAll('dialog[open]')
  if (dialogs.length === 0 || dialogs.item(dialogs.length - 1).contains(this)) focusAnywhere.call(this, options)
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})
