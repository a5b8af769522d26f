import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../../test/signed-in.tsx'
import { putSession, readSession } from '../../../session/session-store.ts'
import { FirstStepsPage } from './first-steps.tsx'

afterEach(() => vi.unstubAllGlobals())

const names = ['name', 'self', 'group', 'people', 'sender', 'mail', 'certificate', 'study']
const nothing = {
  steps: names.map((step) => ({ step, done: 0 })),
  group_count: 1,
  unattended_groups: ['Night shift'],
  people_count: 1,
  invited_count: 0,
  titles: [{ group_name: 'Imaging Inbox', ae_title: 'HILUM', senders: [] }],
  dicom_host: '',
  dicom_is_local: 0,
  dicom_port: 11112,
  has_smtp: 1,
  mail: { state: 'none', recipient: '', error: '' },
  certificate: { kind: 'self_signed', ends: '2036-01-01' },
  study: null,
}

function show(reply: unknown, permissions: Record<string, number> = { account_edit: 1 }, replies: Replies = {}) {
  const root = createRootRoute({ component: FirstStepsPage })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  return showSignedIn(
    <RouterProvider router={router as never} />,
    { 'account/first/steps': reply, ...replies },
    {},
    permissions,
  )
}
const step = (name: string) => screen.findByRole('listitem', { name })

test('says of each step in words what the server found, and leads to where it is done', async () => {
  show(nothing)
  expect(await screen.findByText('0 of 8 steps done')).toBeDefined()
  expect((await step('Groups')).textContent).toContain('Nobody belongs to: Night shift.')
  expect((await step('AE title and who may send')).textContent).toContain('by programs of this machine alone')
  expect((await step('AE title and who may send')).textContent).toContain('port 11112')
  expect((await step('Certificate')).textContent).toContain('signed itself')
  const invite = within(await step('People')).getByRole('link', { name: 'Invite people' })
  expect(invite.getAttribute('href')).toBe('/administration/users')
})

test('shows the first exam as soon as it has arrived', async () => {
  let hasCome = false
  const study = {
    group_id: 'g1',
    place_name: 'Imaging Inbox',
    arrived: '2026-11-23 20:37:00.000000+00',
    source: 'harvest',
    ae_title: 'CT_1',
  }
  show(() => ({ ...nothing, study: hasCome ? study : null }))
  expect((await step('The first exam')).textContent).toContain('Waiting for the first exam')
  hasCome = true
  await screen.findByText(/The first exam has arrived in Imaging Inbox/)
  expect(screen.getByText('Sent by CT_1.')).toBeDefined()
  const open = screen.getByRole('link', { name: 'Open Imaging Inbox' })
  expect(open.getAttribute('href')).toBe('/group/g1')
})

test('sends a test mail, and says what the mail server answered', async () => {
  const failed = { ...nothing, mail: { state: 'failed', recipient: 'a@b.example', error: 'Relay denied' } }
  let reply: unknown = nothing
  show(() => reply, { account_edit: 1 }, { 'mail/test': { recipient: 'a@b.example' } })
  const mail = await step('Mail')
  reply = failed
  await userEvent.click(within(mail).getByRole('button', { name: 'Send a test mail' }))
  await screen.findByText('The mail server did not take the test mail: Relay denied')
  expect(lastSent('mail/test')).toEqual({ account_id: 'a' })
})

test('says that every step is done', async () => {
  show({ ...nothing, steps: names.map((one) => ({ step: one, done: 1 })) })
  expect(await screen.findByText('Every step is done. The organisation is set up.')).toBeDefined()
})

test('is put away for the whole organisation, and can be had again', async () => {
  const settings: Record<string, string> = {}
  show(
    nothing,
    { account_edit: 1 },
    {
      'account/set': ({ setting_first_steps: chosen }: Record<string, unknown>) => {
        settings['first_steps'] = String(chosen)
        return { status: 'OK' }
      },
      'account/get': () => ({ name: 'Northside', issuer: 'N', settings: { ...settings } }),
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Put this list away' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show the list again' }))
  await screen.findByText('0 of 8 steps done')
  expect(settings).toEqual({ first_steps: 'open' })
  expect(readSession().status).toBe('established')
})

test('says that the steps could not be loaded, and tries again', async () => {
  let isBroken = true
  show(() => (isBroken ? { error_type: 'UNEXPECTED_ERROR' } : nothing))
  await screen.findByText('The first steps could not be loaded.')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('0 of 8 steps done')).toBeDefined()
})

test('asks for nothing for somebody who administers users alone', () => {
  show(nothing, { account_user_view: 1 })
  putSession(readSession())
  expect(lastSent('account/first/steps')).toBeUndefined()
})

test.each([
  [{ dicom_is_local: 1, dicom_host: '127.0.0.1' }, /same machine alone reach .* at 127\.0\.0\.1\. .*HILUM_DICOM_HOST/],
  [{ dicom_host: '10.1.0.7' }, /senders reach this server at 10\.1\.0\.7, port 11112/],
])('names the address at which senders reach the listener: %j', async (listens, words) => {
  show({ ...nothing, ...listens })
  expect((await step('AE title and who may send')).textContent).toMatch(words)
})
