import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { openTexts } from '../../queries/agreed-texts.ts'
import { putSession, readSession, type Session } from '../../session/session-store.ts'
import { Agreement } from './agreement.tsx'

const since = '2026-11-20 08:15:00.000000+00'
const terms = { kind: 'terms', text: 'Be kind.\n\nBe quick.', md5: 'new', since }
const privacy = { kind: 'privacy', text: 'We keep little.', md5: 'kept', since }
const settings: Record<string, string> = { terms_md5: 'new', privacy_md5: 'kept' }
/** An account that asks, and a person who agreed to an earlier text. */
let asked: Session

beforeEach(() => {
  showSignedIn(null).unmount()
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const { account, user } = state.session
  const agreed = { terms_md5: 'old', privacy_md5: 'kept' }
  asked = { ...state.session, account: { ...account, settings }, user: { ...user, ...agreed } }
  return () => vi.unstubAllGlobals()
})

function show(replies: Replies = {}) {
  const all = { 'account/texts': { texts: [terms, privacy] }, 'account/get': { settings }, ...replies }
  showSignedIn(<Agreement />, all)
  putSession({ status: 'established', session: asked })
}
const sessionNow = () => {
  const state = readSession()
  return state.status === 'established' ? state.session : undefined
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('[ENTITY-04] texts whose MD5 is another than the person’s wait to be accepted', () => {
  expect(openTexts(asked)).toEqual(['terms'])
  const { account, user } = asked
  expect(openTexts({ ...asked, user: { ...user, terms_md5: 'new' } })).toEqual([])
  expect(openTexts({ ...asked, account: { ...account, settings: {} } })).toEqual([])
})

test('shows the text that waits, takes the acceptance, and lets the person go on', async () => {
  show()
  const group = await screen.findByRole('group', { name: 'Terms of use' })
  expect(within(group).getByText('Be quick.')).toBeDefined()
  expect(screen.queryByText('We keep little.')).toBeNull()
  expect(screen.getByText('Northside asks you to read and accept:')).toBeDefined()
  await press('I accept')
  await vi.waitFor(() => expect(sessionNow()?.user.terms_md5).toBe('new'))
  expect(lastSent('user/set')).toEqual({ terms_md5: 'new' })
})

test('asks again where the text changed while it was read', async () => {
  show({ 'account/get': { settings: { terms_md5: 'newer' } } })
  await screen.findByText('Be kind.')
  await press('I accept')
  await vi.waitFor(() => expect(sessionNow()?.user.terms_md5).toBe('new'))
  const session = sessionNow()
  expect(session && openTexts(session)).toEqual(['terms'])
})

test('says that the acceptance was not saved, and that the texts did not load', async () => {
  show({ 'user/set': 500 })
  await screen.findByText('Be kind.')
  await press('I accept')
  await screen.findByText('Your acceptance could not be saved. Please try again.')
  expect(sessionNow()?.user.terms_md5).toBe('old')
})

test('takes no acceptance of what was not shown', async () => {
  show({ 'account/texts': 500 })
  await screen.findByText('The texts could not be loaded.')
  expect(screen.getByRole('button', { name: 'I accept' })).toHaveProperty('disabled', true)
  expect(sentCalls.map(({ path }) => path)).not.toContain('user/set')
})

test('lets the person sign out instead', async () => {
  show({ 'session/logout': {} })
  await screen.findByText('Be kind.')
  await press('Log out')
  await vi.waitFor(() => expect(readSession().status).toBe('signedOut'))
  expect(lastSent('user/set')).toBeUndefined()
})
