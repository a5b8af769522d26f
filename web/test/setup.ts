import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/** A modal dialog takes the focus at its first button, as in browsers; happy-dom opens it alone. */
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true
  this.querySelector('button')?.focus()
}

const { focus } = HTMLElement.prototype
/** Nothing outside of a modal dialog takes the focus, as in browsers: typing would go on elsewhere in the middle of a word. */
HTMLElement.prototype.focus = function focusWithin(this: HTMLElement, options?: FocusOptions) {
  const dialogs = document.querySelectorAll('dialog[open]')
  if (dialogs.length === 0 || dialogs.item(dialogs.length - 1).contains(this)) focus.call(this, options)
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
