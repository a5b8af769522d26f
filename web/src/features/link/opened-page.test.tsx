import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { OpenedPage } from './opened-page.tsx'

const logo = 'data:image/png;base64,iVBORw0KGgo='
const show = (reply: unknown) =>
  showSignedIn(<OpenedPage sid="sid1">The exam</OpenedPage>, { 'link/brand': reply }).container

test('shows the logo and the colour of the organisation to whoever opened its link', async () => {
  const page = show({ brand_logo: logo, brand_color: '#2f6fb0' })
  await waitFor(() => expect(page.querySelector('img')?.getAttribute('src')).toBe(logo))
  expect(page.querySelector('i')?.style.background).toBe('#2f6fb0')
  expect(sentCalls.map(({ path }) => path)).toEqual(['link/brand'])
})

test.each([[{ brand_logo: '', brand_color: '' }], [{ error_type: 'EXPIRED' }], [500]])(
  'is whole without either: %j',
  async (reply) => {
    const page = show(reply)
    await waitFor(() => expect(sentCalls.length).toBe(1))
    screen.getByText('The exam')
    expect(page.querySelector('img, i')).toBeNull()
  },
)
