import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CancelButton, Dialog } from './dialog.tsx'
import { ThrowAwayWords } from './throw-away-words.ts'

/** The code of the client, by its path. */
const code: Record<string, string> = import.meta.glob(['../**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

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

const words = { title: 'Throw it away?', text: 'Not saved.', stay: 'Keep', leave: 'Throw' }

function FilledForm({ onClose }: { onClose: () => void }) {
  return (
    <MantineProvider env="test">
      <ThrowAwayWords value={words}>
        <Dialog title="Edit" closeLabel="Close" onClose={onClose}>
          <input aria-label="Holds at once" type="checkbox" />
          <form>
            <input aria-label="Name" defaultValue="Emergency" />
            <input aria-label="Find" type="search" />
            <input aria-label="On" type="checkbox" />
            <CancelButton onCancel={onClose}>Cancel</CancelButton>
          </form>
        </Dialog>
      </ThrowAwayWords>
    </MantineProvider>
  )
}

const ways = {
  Escape: () => fireEvent(screen.getByRole('dialog', { name: 'Edit' }), new Event('cancel', { cancelable: true })),
  'a second Escape, which the browser does not announce': () => {
    const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Edit' })
    dialog.close()
    fireEvent(dialog, new Event('close'))
  },
  'the cross': () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
  Cancel: () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' })),
}
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

test.each(wayNames)('what was typed or ticked is thrown away by %s after a question alone', async (way) => {
  const onClose = vi.fn()
  const { unmount } = render(<FilledForm onClose={onClose} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' room')
  ways[way]()
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByRole('button', { name: 'Keep' }))
  expect(screen.queryByText('Not saved.')).toBeNull()
  ways[way]()
  fireEvent.click(await screen.findByRole('button', { name: 'Throw' }))
  expect(onClose).toHaveBeenCalledTimes(1)
  unmount()
  render(<FilledForm onClose={onClose} />)
  await userEvent.click(screen.getByRole('checkbox', { name: 'On' }))
  ways[way]()
  expect(await screen.findByText('Not saved.')).toBeDefined()
})

test.each(wayNames)(
  'a dialog in which nothing was typed, or the same again, closes by %s without a question',
  async (way) => {
    const onClose = vi.fn()
    render(<FilledForm onClose={onClose} />)
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 's{Backspace}')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Find' }), 'Ada')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Holds at once' }))
    ways[way]()
    expect(onClose).toHaveBeenCalledTimes(1)
  },
)

test('no dialog has a Cancel that throws away without asking', () => {
  const asked = Object.entries(code).filter(([, text]) => text.includes("t('button.cancel')"))
  expect(asked.length).toBeGreaterThan(20)
  // beside dialogs, or in a question of which nothing is typed
  const plain = asked.filter(([, text]) =>
    /<Button\b[^>]*onClick=\{on(Close|Cancel)\}>\s*\{t\('button\.cancel'\)/.test(text),
  )
  const inDialogs = plain.filter(([, text]) => text.includes('ui/dialog.tsx'))
  expect(inDialogs.map(([path]) => path)).toEqual([])
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
