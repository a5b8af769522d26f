import { mayByProxy } from '@hilum/contract/by-proxy'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { permissions } from '@hilum/contract/permissions'
import { act, screen, waitFor } from '@testing-library/react'
import type { FunctionComponent } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { sentCalls } from '../../../test/signed-in.tsx'
import { MailOutbox } from './mail-outbox.tsx'
import { Organisation } from './organisation/organisation.tsx'
import { Security } from './security.tsx'
import { SignInProvider } from './sign-in/sign-in-provider.tsx'
import { System } from './system/system.tsx'
import { Users } from './users/users.tsx'
import { putSession, readSession } from '../../session/session-store.ts'

afterEach(() => vi.unstubAllGlobals())

const user = { user_id: 'p', user_name: 'Ida Holm', user_email: 'ida@x.example', disabled: 0, is_above: 0, groups: [] }
const provider = { uuid: 'i', is_on: 1, button: 'Hospital', issuer: 'https://id.example', rules: [], domains: [] }
const replies = {
  'account/user/list': { users: [user], page: { total: 1, more: 0, number: 1, rows: 10 } },
  'account/user/leavers': { leavers: [], page: { total: 0, more: 0, number: 1, rows: 10 } },
  'identity/provider/get': { provider, redirect_address: '', logout_address: '' },
  'account/get': { error_type: 'UNEXPECTED_ERROR' },
  'account/texts': { error_type: 'UNEXPECTED_ERROR' },
  'role/list': { roles: [] },
  'group/list': { groups: [] },
  'account/texts/versions': { versions: [] },
}

/** Pages of what a supporter is refused, with the calls that they send otherwise and one control of each. */
const pages: Readonly<Record<string, { page: FunctionComponent; sends: readonly string[]; off: RegExp | undefined }>> =
  {
    'how people sign in': {
      page: SignInProvider,
      sends: ['identity/provider/set', 'identity/provider/delete'],
      off: /^(Save|Clear|Delete the provider)/,
    },
    'sessions and passwords': { page: Security, sends: [], off: /^(Save|Clear)/ },
    users: {
      page: Users,
      sends: [
        'account/user/add',
        'account/user/set',
        'account/user/delete',
        'user/enable',
        'user/pin/reset',
        'user/welcome',
      ],
      off: undefined,
    },
    'the organisation': { page: Organisation, sends: [], off: /^Close the organisation/ },
    mails: { page: MailOutbox, sends: ['mail/cancel', 'mail/outbox', 'mail/retry'], off: undefined },
  }

/** Calls for programs: no screen sends them. */
const ofPrograms = ['user/add', 'user/invite']

test('each call that is refused to supporters has its page here', () => {
  const refused = (Object.values(calls) as unknown as AnyCall[]).filter(
    (one) => !mayByProxy(one) && one.on.kind !== 'caller' && one.on.kind !== 'system',
  )
  const named = [...Object.values(pages).flatMap(({ sends }) => sends), ...ofPrograms]
  expect(refused.map(({ path }) => path).toSorted()).toEqual(named.toSorted())
})

function showIn(page: FunctionComponent, isOfSupport: boolean) {
  const Page = page
  showRouted(<Page />, replies)
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const session = { ...state.session, permissions: Object.fromEntries(permissions.map((one) => [one, 1])) }
  act(() =>
    putSession({ status: 'established', session: isOfSupport ? { ...session, proxyName: 'Sam Support' } : session }),
  )
}

const line = /^In a support session/
const buttons = () => screen.queryAllByRole<HTMLButtonElement>('button')

test.each(Object.entries(pages))(
  '[PERM-02] in a support session the page of %s says in one line what is off, and offers none of it',
  async (_, { page, off }) => {
    showIn(page, true)
    await screen.findByText(line)
    const named = off ? await waitFor(() => findNamed(off)) : []
    expect(named.every((button) => button.closest('fieldset[disabled]') !== null)).toBe(true)
    const offered = buttons().map((button) => button.getAttribute('aria-label') ?? button.textContent)
    expect(offered.filter((name) => /^(Invite|Edit|Disable|Delete Ida|Show the mail)/.test(name ?? ''))).toEqual([])
    expect(sentCalls.map(({ path }) => path)).not.toContain('mail/outbox')
  },
)

function findNamed(name: RegExp): HTMLButtonElement[] {
  const named = buttons().filter((button) => name.test(button.textContent ?? ''))
  if (named.length === 0) throw new Error('The form is not there yet')
  return named
}

test('[PERM-02] in a support session the page of all organisations says that it is closed until the session ends', async () => {
  showIn(System, true)
  expect(await screen.findByText(/^In a support session this page is closed/)).toBeDefined()
})

test.each([SignInProvider, Users, Security, Organisation])('outside of one nothing is said of it', async (page) => {
  showIn(page, false)
  await screen.findAllByRole('heading')
  expect(screen.queryByText(line)).toBeNull()
})
