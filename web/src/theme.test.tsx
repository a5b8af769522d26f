import { Button, Checkbox, MantineProvider, PasswordInput, Select } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Textarea, TextInput } from './fields/text-input.tsx'
import { theme } from './theme.ts'

test.each([
  ['a text field', TextInput],
  ['a long text field', Textarea],
  ['a password field', PasswordInput],
  ['a list', Select],
  ['a box', Checkbox],
])('what is wrong with %s, and what is said of it, stand in letters of 12 px', (_name, Field) => {
  render(
    <MantineProvider theme={theme}>
      <Field label="MRN" description="In the images" error="KELLER, MONA has this MRN too" />
    </MantineProvider>,
  )
  for (const text of ['In the images', 'KELLER, MONA has this MRN too'])
    expect(screen.getByText(text).style.fontSize).toBe('12px')
})

test('a button that is chosen among others has the ground of a chosen row, and keeps it under the pointer', () => {
  render(
    <MantineProvider theme={theme}>
      <Button variant="light">Everything</Button>
    </MantineProvider>,
  )
  const { style } = screen.getByRole('button', { name: 'Everything' })
  for (const part of ['--button-bg', '--button-hover']) expect(style.getPropertyValue(part)).toBe('var(--selected)')
})
