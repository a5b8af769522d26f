import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showSignedIn } from '../../test/signed-in.tsx'
import { Textarea, TextInput } from './text-input.tsx'

/** The code of the client, by its path. */
const code: Record<string, string> = import.meta.glob(['../**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const hidden = /sign in here that cannot be seen/

test('a sign that cannot be seen is told at the field, before what else is wrong', () => {
  showSignedIn(
    <>
      <TextInput label="Name" value={'Emer\u200bgency'} error="Too long" readOnly />
      <Textarea label="Message" value={'\u202eyenom'} readOnly />
      <TextInput label="Other" value="Emergency" error="Too long" readOnly />
      <Textarea label="Lines" value={'One\n\ttwo 👩‍⚕️ می‌خواهم'} readOnly />
    </>,
  )
  const described = (name: string) => screen.getByRole('textbox', { name, description: hidden })
  expect(described('Name').getAttribute('aria-invalid')).toBe('true')
  expect(described('Message').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getAllByText(hidden)).toHaveLength(2)
  expect(screen.getAllByText('Too long')).toHaveLength(1)
})

test('all fields of text are these', () => {
  const others = Object.entries(code).filter(([path, text]) => {
    const taken = /import \{([^}]*)\} from '@mantine\/core'/.exec(text)?.[1] ?? ''
    return /\bText(Input|area)\b/.test(taken) && !path.endsWith('/text-input.tsx')
  })
  expect(others.map(([path]) => path)).toEqual([])
})
