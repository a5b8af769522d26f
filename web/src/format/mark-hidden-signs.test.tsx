import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { markHiddenSigns } from './mark-hidden-signs.ts'

let stop = () => undefined as void
beforeEach(() => {
  stop = markHiddenSigns(document)
})
afterEach(() => stop())

function Facts({ mrn }: { mrn: string }) {
  return (
    <p>
      MRN <b>{mrn}</b>
      {`, of ${mrn}`}
    </p>
  )
}

test('texts of images that would look alike, or turn the writing round, show their hidden signs, also after a change', async () => {
  const { container, rerender } = render(<Facts mrn={'NS\u200b-1'} />)
  await waitFor(() => expect(container.textContent).toBe('MRN NS▯-1, of NS▯-1'))
  rerender(<Facts mrn="NS-1" />)
  await waitFor(() => expect(container.textContent).toBe('MRN NS-1, of NS-1'))
  rerender(<Facts mrn={'\u202eNS-1'} />)
  await waitFor(() => expect(container.textContent).toBe('MRN ▯NS-1, of ▯NS-1'))
  rerender(<Facts mrn="می‌خواهم" />)
  await waitFor(() => expect(screen.getByText('می‌خواهم')).toBeDefined())
})
