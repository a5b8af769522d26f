import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { lastSent, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { putSession, readSession } from '../../session/session-store.ts'
import { MailOutbox } from './mail-outbox.tsx'

function show(
  permissions: Record<string, number>,
  bodies: readonly string[] = [],
  more: object = {},
  page: object = {},
  answers: Readonly<Record<string, unknown>> = {},
): void {
  const facts = {
    recipient: 'a@b.example',
    subject: 'An exam',
    created: '2026-03-04 10:00:00.000000+00',
    last_error: '',
    sent_at: null,
    returned_at: null,
    given_up: 0,
    cancelled: 0,
    held: 0,
    may_retry: 0,
    ...more,
  }
  const mails = bodies.map((body, at) => ({ ...facts, uuid: `m${at}`, body }))
  showSignedIn(null)
  const state = readSession()
  if (state.status !== 'established') throw new Error('showSignedIn signs in')
  const { session } = state
  showSignedIn(<MailOutbox />, {
    'mail/outbox': { has_smtp: 0, mails, page: { more: 0, rows: 10, number: 1, total: mails.length, ...page } },
    'setting/set': {},
    'mail/cancel': answers['mail/cancel'] ?? { status: 'OK' },
    'mail/retry': answers['mail/retry'] ?? { status: 'OK' },
  })
  putSession({ status: 'established', session: { ...session, permissions } })
}

test('an administrator of groups alone is told so, before the server has to', async () => {
  show({ group_edit: 1 })
  expect(await screen.findByText('Only administrators may open this page.')).toBeDefined()
  expect(sentCalls).toEqual([])
})

test('a mail is shown as its recipient reads it, with addresses that can be pressed', async () => {
  show({ account_edit: 1 }, [
    'Somebody sent you an exam:\n\nhttps://hilum.example/link/AAAA\n\nIt asks for a password.',
  ])
  await userEvent.click(await screen.findByRole('button', { name: 'Read the mail to a@b.example' }))
  const link = await screen.findByRole('link', { name: 'https://hilum.example/link/AAAA' })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://hilum.example/link/AAAA',
    'noreferrer',
  ])
  expect(screen.getByText('It asks for a password.').tagName).toBe('P')
  show({ account_edit: 1 }, ['javascript:alert(1)\nhttps://a.example b'])
  // Enter on the row opens the mail too
  const row = await screen.findByRole('row', { name: /a@b\.example/ })
  row.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByText(/javascript:alert/)
  expect(screen.queryByRole('link', { name: /a\.example|alert/ })).toBeNull()
})

test('mails that left are listed with when the mail server took them or they came back, found by address', async () => {
  const sent = { sent_at: '2026-03-04 10:01:00.000000+00', returned_at: '2026-03-04 10:02:00.000000+00' }
  show({ account_edit: 1 }, [''], sent)
  await userEvent.click(await screen.findByText('Sent or ended in the last 90 days'))
  const row = await screen.findByRole('row', { name: /a@b\.example/ })
  expect(row.textContent).toMatch(/An exam.*2026.*Came back .*2026/)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find an e-mail address' }), 'b.ex')
  await waitFor(() =>
    expect(lastSent('mail/outbox')).toMatchObject({ left: 1, search: 'b.ex', sort_by: 'sent_at-desc' }),
  )
})

test('a mail that was given up is told from one that came back', async () => {
  show({ account_edit: 1 }, ['Open it'], { returned_at: '2026-03-04 10:02:00.000000+00', given_up: 1 })
  const row = await screen.findByRole('row', { name: /a@b\.example/ })
  expect(row.textContent).toMatch(/Given up .*2026.*not tried again/)
  expect(row.textContent).not.toContain('Came back')
})

test('a mail that waits is cancelled after a question, and is said to be', async () => {
  show({ account_edit: 1 }, ['Open it'])
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel the mail to a@b.example' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel the mail?' })
  expect(dialog.textContent).toContain('The mail “An exam” to a@b.example is never sent')
  expect(sentCalls.map(({ path }) => path)).not.toContain('mail/cancel')
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Do not send it' }))
  expect(await screen.findByText('The mail to a@b.example is cancelled.')).toBeDefined()
  expect(lastSent('mail/cancel')).toMatchObject({ uuid: 'm0' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a mail that was given up is tried again or taken off the list without a question', async () => {
  const givenUp = { returned_at: '2026-03-04 10:02:00.000000+00', given_up: 1, may_retry: 1 }
  show({ account_edit: 1 }, ['Open it'], givenUp)
  await userEvent.click(await screen.findByRole('button', { name: 'Try the mail to a@b.example again' }))
  expect(await screen.findByText('The mail to a@b.example is tried again.')).toBeDefined()
  expect(lastSent('mail/retry')).toMatchObject({ uuid: 'm0' })
  await userEvent.click(screen.getByRole('button', { name: 'Take the mail to a@b.example off this list' }))
  expect(await screen.findByText(/The mail to a@b.example is off this list/)).toBeDefined()
  expect(lastSent('mail/cancel')).toMatchObject({ uuid: 'm0' })
})

test('what could not be done with a mail is told with its reason', async () => {
  const givenUp = { returned_at: '2026-03-04 10:02:00.000000+00', given_up: 1, may_retry: 1 }
  const refused = { 'mail/retry': { error_type: 'EXPIRED' }, 'mail/cancel': { error_type: 'NOT_FOUND' } }
  show({ account_edit: 1 }, ['Open it'], givenUp, {}, refused)
  await userEvent.click(await screen.findByRole('button', { name: 'Try the mail to a@b.example again' }))
  expect((await screen.findByRole('alert')).textContent).toContain('has ended')
  await userEvent.click(screen.getByRole('button', { name: 'Take the mail to a@b.example off this list' }))
  expect(await screen.findByText(/may have been sent meanwhile/)).toBeDefined()
})

test('a mail that was cancelled says so where mails are listed that left', async () => {
  const cancelled = { returned_at: '2026-03-04 10:02:00.000000+00', cancelled: 1 }
  show({ account_edit: 1 }, [''], cancelled)
  await userEvent.click(await screen.findByText('Sent or ended in the last 90 days'))
  const row = await screen.findByRole('row', { name: /a@b\.example/ })
  expect(row.textContent).toMatch(/Cancelled .*2026.* by an administrator$/)
})

test('a mail that was held says so, and is tried again', async () => {
  const held = {
    returned_at: '2026-03-04 10:02:00.000000+00',
    held: 1,
    may_retry: 1,
    last_error: 'The exam was corrected',
  }
  show({ account_edit: 1 }, [''], held)
  const row = await screen.findByRole('row', { name: /a@b\.example/ })
  expect(row.textContent).toMatch(/Held .*2026.*: try it again to send it all the same.*The exam was corrected/)
  await userEvent.click(screen.getByRole('button', { name: 'Try the mail to a@b.example again' }))
  expect(await screen.findByText('The mail to a@b.example is tried again.')).toBeDefined()
})

test('mails are shown page by page in the order that was chosen, and rows per page are kept', async () => {
  show({ account_edit: 1 }, ['One'], {}, { more: 1, total: 40 })
  await screen.findByRole('grid', { name: 'Mails of the outbox' })
  expect(lastSent('mail/outbox')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'created-desc' })
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(lastSent('mail/outbox')).toMatchObject({ 'page.number': 2 }))
  await userEvent.click(screen.getByRole('button', { name: 'To' }))
  await waitFor(() => expect(lastSent('mail/outbox')).toMatchObject({ 'page.number': 1, sort_by: 'recipient-asc' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '100')
  await waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'outbox_rows_to_display', value: '100' }))
})

test('an administrator of the account is shown the mails that wait', async () => {
  show({ account_edit: 1 })
  expect(await screen.findByRole('heading', { name: 'Mail outbox' })).toBeDefined()
})
