import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DatedText } from './dated-text.tsx'

const written = ['11-30-2026', '2026-11-30', '30-11-2026', '2026/11/30', '11/30/2026', '30/11/2026', '3 Nov 2026']

it.each(written)('keeps a date written as %s in one piece within a sentence', (date) => {
  const { container } = render(<DatedText>{`Open until ${date} 18:00, asked on ${date}`}</DatedText>)
  expect([...container.querySelectorAll('span')].map((one) => one.textContent)).toEqual([date, date])
  expect(container.textContent).toBe(`Open until ${date} 18:00, asked on ${date}`)
})

it('keeps a date that stands alone, with or without its time, as one text', () => {
  const { container } = render(<DatedText>11-30-2026 18:00</DatedText>)
  expect(container.querySelector('span')?.childNodes).toHaveLength(1)
  expect(container.textContent).toBe('11-30-2026 18:00')
})

it('leaves a text without a date as it is', () => {
  const { container } = render(<DatedText>NS-100871 of Outpatient Imaging</DatedText>)
  expect(container.innerHTML).toBe('NS-100871 of Outpatient Imaging')
})
