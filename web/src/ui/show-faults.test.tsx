import { MantineProvider, TextInput } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { showFaults } from './show-faults.ts'

const seen: string[] = []
let stop = () => undefined as void
beforeEach(() => {
  seen.length = 0
  HTMLElement.prototype.scrollIntoView = function scrollIntoView() {
    seen.push(this.textContent)
  }
  stop = showFaults(document)
})
afterEach(() => stop())

type Faults = Partial<Record<'name' | 'address' | 'form', string>>

/** A form whose refusal comes when the test says so. */
function showForm(refused: Promise<Faults>) {
  function Form() {
    const [faults, setFaults] = useState<Faults>({})
    return (
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void refused.then(setFaults)
        }}
      >
        <TextInput label="Name" error={faults.name} />
        <TextInput label="Address" error={faults.address} />
        {faults.form && <p role="alert">{faults.form}</p>}
        <button type="submit">Save</button>
      </form>
    )
  }
  render(
    <MantineProvider env="test">
      <Form />
      <button type="button">Elsewhere</button>
    </MantineProvider>,
  )
  screen.getByRole('button', { name: 'Save' }).focus()
  fireEvent.submit(screen.getByRole('button', { name: 'Save' }).closest('form') as HTMLFormElement)
}
const field = (name: string) => screen.getByRole('textbox', { name })

test('the first field that a refusal is about gets the focus and comes into sight with its message', async () => {
  showForm(Promise.resolve({ name: 'Somebody else has it.', address: 'No address.' }))
  await waitFor(() => expect(document.activeElement).toBe(field('Name')))
  expect(seen).toEqual(['NameSomebody else has it.'])
})

test('a refusal that is about no field comes into sight', async () => {
  showForm(Promise.resolve({ form: 'Not saved.' }))
  await waitFor(() => expect(seen).toEqual(['Not saved.']))
  expect(document.activeElement?.textContent).toBe('Save')
})

test.each(['typed on', 'went elsewhere'])('a refusal takes the focus from nobody who %s meanwhile', async (way) => {
  const { promise, resolve } = Promise.withResolvers<Faults>()
  showForm(promise)
  await new Promise((done) => setTimeout(done, 5))
  if (way === 'typed on') fireEvent.input(field('Address'), { target: { value: 'A' } })
  else screen.getByRole('button', { name: 'Elsewhere' }).focus()
  const before = document.activeElement
  resolve({ name: 'Somebody else has it.' })
  expect(await screen.findByText('Somebody else has it.')).toBeDefined()
  await new Promise((done) => setTimeout(done, 5))
  expect(document.activeElement).toBe(before)
})

test('a form that is sent again with the same fault leads there again', async () => {
  showForm(Promise.resolve({ address: 'No address.' }))
  await waitFor(() => expect(document.activeElement).toBe(field('Address')))
  const save = screen.getByRole('button', { name: 'Save' })
  save.focus()
  fireEvent.submit(save.closest('form') as HTMLFormElement)
  await waitFor(() => expect(document.activeElement).toBe(field('Address')))
})
