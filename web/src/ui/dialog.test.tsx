import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showSignedIn } from '../../test/signed-in.tsx'
import { Dialog } from './dialog.tsx'

/** Browsers focus the first button of a dialog that opens; happy-dom focuses nothing. */
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true
  this.querySelector('button')?.focus()
}

test('the focus begins at the field that asks for it, not at the button that closes', async () => {
  showSignedIn(
    <Dialog title="Take back" closeLabel="Close" onClose={() => undefined}>
      <input aria-label="Reason" data-autofocus />
    </Dialog>,
    {},
  )
  expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Reason' }))
})
