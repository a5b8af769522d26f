import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { putSession } from '../../session/session-store.ts'
import { LoginForm } from './login-form.tsx'
import { SignInPage } from './sign-in-page.tsx'

afterEach(() => {
  history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

const logo = 'data:image/png;base64,AAAA'
const offer: Replies = {
  'identity/offer': {
    provider: null,
    begin_at: '',
    brand_name: 'Northside Imaging',
    brand_logo: logo,
    brand_color: '#2f6fb0',
  },
}
const pictures = () => [...document.querySelectorAll('img')].map((one) => one.getAttribute('src'))

test('shows the logo and the colour of the organisation whose host name this is', async () => {
  history.replaceState(null, '', '/?vanity=images.north.example')
  showRouted(<LoginForm />, offer)
  putSession({ status: 'signedOut' })
  await waitFor(() => expect(pictures()).toEqual([logo]))
  expect(document.querySelector('main i')?.getAttribute('style')).toContain('#2f6fb0')
  expect(lastSent('identity/offer')).toEqual({ vanity: 'images.north.example' })
  expect(screen.getByText('Northside Imaging')).toBeDefined()
})

test('is whole where there is no organisation to name, and names the only one of an installation', async () => {
  const none = { provider: null, begin_at: '', brand_name: '', brand_logo: '', brand_color: '' }
  const { unmount } = showRouted(<SignInPage title="Reset your password">text</SignInPage>, { 'identity/offer': none })
  await waitFor(() => expect(sentCalls.map(({ path }) => path)).toEqual(['identity/offer']))
  expect(screen.getByText('Imaging inbox and exchange')).toBeDefined()
  expect(pictures()).toEqual([])
  unmount()
  showRouted(<SignInPage title="Reset your password">text</SignInPage>, offer)
  expect(await screen.findByText('Northside Imaging')).toBeDefined()
  expect(screen.queryByText('Imaging inbox and exchange')).toBeNull()
})

test('shows no organisation at the door of a link, which may be of another one', async () => {
  history.replaceState(null, '', '/?vanity=images.north.example')
  showRouted(
    <SignInPage title="Link" isOfAnybody>
      text
    </SignInPage>,
    offer,
  )
  await screen.findByText('text')
  expect(sentCalls).toEqual([])
  expect(pictures()).toEqual([])
})
