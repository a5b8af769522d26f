import { act, screen } from '@testing-library/react'
import { installationNotices } from '@hilum/contract/calls/account'
import { expect, test, vi } from 'vitest'
import { formatSize } from '../../format/file-size.ts'
import { lastSent, showSignedIn } from '../../../test/signed-in.tsx'
import { putSession, readSession } from '../../session/session-store.ts'
import { InstallationBanner } from './installation-banner.tsx'

function show(notices: object[], permissions: Record<string, number>) {
  showSignedIn(
    <>
      <InstallationBanner />
      <p>shown</p>
    </>,
    { 'account/notices': { notices } },
  )
  const state = readSession()
  if (state.status !== 'established') throw new Error('showSignedIn signs in')
  putSession({ status: 'established', session: { ...state.session, permissions } })
}
const notice = (code: string) => ({
  code,
  free_bytes: 3_200_000_000,
  total_bytes: 120_000_000_000,
  failed_mails: 7,
  failing_rules: 3,
  certificate_ends: '2031-05-03 08:00:00.000000+00',
})

test.each(installationNotices)('an administrator is told of %s', async (code) => {
  show([notice(code)], { account_edit: 1 })
  const banner = await screen.findByRole(['DISK_LOW', 'CERTIFICATE_ENDS'].includes(code) ? 'status' : 'alert')
  expect(banner.textContent).toMatch(code === 'RULE_FAILS' ? /^3 routing rules fail/ : /server/)
  expect(banner.textContent?.includes(formatSize(3_200_000_000))).toBe(code.startsWith('DISK'))
  expect(banner.textContent?.includes('2031')).toBe(code.startsWith('CERTIFICATE'))
  expect(banner.textContent?.includes('7 mails')).toBe(code === 'MAILS_NOT_SENT')
})

test('nobody else is told, and the server is not asked', async () => {
  show([notice('DISK_FULL')], { account_edit: 0 })
  await screen.findByText('shown')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(lastSent('account/notices')).toBeUndefined()
})

test('where all is well nothing stands there', async () => {
  show([], { account_edit: 1 })
  await screen.findByText('shown')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[ERROR-22] without a network everybody is told, until it is back', async () => {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  show([], { account_edit: 0 })
  expect(screen.getByText(/nothing can be changed until the connection is back/)).toBeDefined()
  network.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(screen.queryByText(/nothing can be changed/)).toBeNull()
  network.mockRestore()
})
