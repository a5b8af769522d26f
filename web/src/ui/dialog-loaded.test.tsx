import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

test('the focus goes to a field that is loaded first, once, unless the person went elsewhere meanwhile', async () => {
  const dialog = (fields: string[]) => (
    <MantineProvider env="test">
      <Dialog title="Edit" closeLabel="Close" onClose={() => undefined}>
        <button type="button">Retry</button>
        {fields.map((name) => (
          <input key={name} aria-label={name} data-autofocus />
        ))}
      </Dialog>
    </MantineProvider>
  )
  const { rerender, unmount } = render(dialog([]))
  rerender(dialog(['Name']))
  const name = screen.getByRole('textbox', { name: 'Name' })
  await waitFor(() => expect(document.activeElement).toBe(name))
  screen.getByRole('button', { name: 'Retry' }).focus()
  const more = nextChange()
  rerender(dialog(['Name', 'Code']))
  await more
  expect(document.activeElement?.textContent).toBe('Retry')
  unmount()
  const second = render(dialog([]))
  screen.getByRole('button', { name: 'Retry' }).focus()
  const loaded = nextChange()
  second.rerender(dialog(['Name']))
  await loaded
  expect(document.activeElement?.textContent).toBe('Retry')
})

test('a press that begins and ends beside the window closes it, unless a form in it was filled in', async () => {
  const onClose = vi.fn()
  render(
    <MantineProvider env="test">
      <Dialog title="Edit" closeLabel="Close" onClose={onClose}>
        <form>
          <input aria-label="Name" />
        </form>
      </Dialog>
    </MantineProvider>,
  )
  const [beside, name] = [screen.getByRole('dialog'), screen.getByRole('textbox', { name: 'Name' })]
  // text is marked with the mouse from the field to beside the window: the browser gives that click to the dialog
  fireEvent.pointerDown(name)
  fireEvent.click(beside)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.pointerDown(beside)
  fireEvent.click(beside)
  expect(onClose).toHaveBeenCalledTimes(1)
  await userEvent.type(name, 'E')
  fireEvent.pointerDown(beside)
  fireEvent.click(beside)
  expect(onClose).toHaveBeenCalledTimes(1)
})

/** The next change of the page, after all who wait for changes since before have heard of it. */
function nextChange(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
}
