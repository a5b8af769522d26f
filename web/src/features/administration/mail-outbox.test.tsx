import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { putSession, readSession } from '../../session/session-store.ts'
import { MailOutbox } from './mail-outbox.tsx'

function show(permissions: Record<string, number>): void {
  showSignedIn(null)
  const state = readSession()
  if (state.status !== 'established') throw new Error('showSignedIn signs in')
  const { session } = state
  showSignedIn(<MailOutbox />, { 'mail/outbox': { status: 'OK', has_smtp: 0, mails: [], page: {} } })
  putSession({ status: 'established', session: { ...session, permissions } })
}

test('an administrator of groups alone is told so, before the server has to', async () => {
  show({ group_edit: 1 })
  expect(await screen.findByText('Only administrators may open this page.')).toBeDefined()
  expect(sentCalls).toEqual([])
})

test('an administrator of the account is shown the mails that wait', async () => {
  show({ account_edit: 1 })
  expect(await screen.findByRole('heading', { name: 'Mail outbox' })).toBeDefined()
})
