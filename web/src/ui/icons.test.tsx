import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import * as icons from './icons.ts'

const all = Object.entries(icons)

it.each(all)('draws %s without a word for screen readers, unless it is given a name', (_, Icon) => {
  const { container, unmount } = render(<Icon size={15} />)
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
  unmount()
  const named = render(<Icon role="img" aria-label="Priority" />)
  expect(named.getByRole('img', { name: 'Priority' }).hasAttribute('aria-hidden')).toBe(false)
})
