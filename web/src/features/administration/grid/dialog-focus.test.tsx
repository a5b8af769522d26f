import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showSignedIn } from '../../../../test/signed-in.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** The code of the client, by its path. */
const code: Record<string, string> = import.meta.glob(['../../../**/*.tsx', '!../../../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('the focus begins at the field that asks for it, not at the button that closes', async () => {
  showSignedIn(
    <Dialog title="Take back" closeLabel="Close" onClose={() => undefined}>
      <input aria-label="Reason" data-autofocus />
    </Dialog>,
    {},
  )
  expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Reason' }))
})

test('an element outside of an open dialog does not take the focus', async () => {
  showSignedIn(
    <>
      <button type="button">Outside</button>
      <Dialog title="Take back" closeLabel="Close" onClose={() => undefined}>
        <input aria-label="Reason" data-autofocus />
      </Dialog>
    </>,
    {},
  )
  const field = await screen.findByRole('textbox', { name: 'Reason' })
  screen.getByRole('button', { name: 'Outside' }).focus()
  expect(document.activeElement).toBe(field)
})

test('a question begins at a button of its own, so that Enter answers it', async () => {
  const nothing = () => undefined
  showSignedIn(
    <AskDialog title="Delete" text="Really?" act="Remove" isBusy={false} onAct={nothing} onClose={nothing} />,
    {},
  )
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Remove' }))
})

test('no dialog asks for the focus in a way that is lost when it opens, and each that hurts says where to begin', () => {
  const dialogs = Object.entries(code).flatMap(([path, text]) =>
    [...text.matchAll(/<Dialog\b.*?<\/Dialog>/gs)].map(([inside]) => ({ path, inside })),
  )
  expect(dialogs.length).toBeGreaterThan(30)
  expect(dialogs.filter(({ inside }) => /\bautoFocus\b/.test(inside)).map(({ path }) => path)).toEqual([])
  const hurting = dialogs.filter(({ inside }) => inside.includes('color="red"') || inside.includes("color: 'red'"))
  expect(hurting.length).toBeGreaterThan(8)
  expect(hurting.filter(({ inside }) => !inside.includes('data-autofocus')).map(({ path }) => path)).toEqual([])
})
