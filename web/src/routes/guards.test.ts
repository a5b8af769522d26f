import { afterEach, expect, test } from 'vitest'
import { chooseAdvanced } from '../session/advanced-mode.ts'
import { clearStorage } from '../session/stored-session.ts'
import { putSession, type Session } from '../session/session-store.ts'
import { leaveLogin, requireInbox, requireSession } from './guards.ts'

afterEach(() => putSession({ status: 'signedOut' }))

function signIn(settings: Record<string, string>): void {
  const session = { sid: 'sid', user: { uuid: 'u' }, account: { settings } } as unknown as Session
  putSession({ status: 'established', session })
}

/** Where a guard leads, or nothing when it lets pass. */
async function target(guard: () => Promise<void>): Promise<string | undefined> {
  try {
    await guard()
    return undefined
  } catch (thrown) {
    const { options } = thrown as { options: { to?: string; href?: string } }
    return options.to ?? options.href
  }
}

test('[ROUTE-11] without a session the inbox leads to the login screen', async () => {
  putSession({ status: 'signedOut' })
  expect(await target(requireSession)).toBe('/')
})

test('[ROUTE-13] an account whose enable_inbox_view is not 1 has no inbox', async () => {
  signIn({ enable_inbox_view: '0' })
  expect(await target(requireInbox)).toBe('/404')
  signIn({})
  expect(await target(requireInbox)).toBe('/404')
  signIn({ enable_inbox_view: '1' })
  expect(await target(requireInbox)).toBeUndefined()
  expect(await target(requireSession)).toBeUndefined()
})

test('[ROUTE-14] who is signed in goes on from the login screen to the inbox', async () => {
  signIn({ enable_inbox_view: '1' })
  expect(await target(leaveLogin)).toBe('/group/list')
})

test('[ROUTE-16] who chose the Advanced UI goes on to it, past the inbox, until the inbox is chosen or the session ends', async () => {
  signIn({})
  chooseAdvanced(true)
  expect(await target(leaveLogin)).toBe('/worklist')
  chooseAdvanced(false)
  expect(await target(leaveLogin)).toBe('/group/list')
  chooseAdvanced(true)
  clearStorage()
  expect(await target(leaveLogin)).toBe('/group/list')
})
