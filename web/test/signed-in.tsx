import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { throwAwayTexts } from '../src/labels/throw-away-texts.ts'
import type { Inbox } from '../src/queries/namespaces.ts'
import { putSession, type Session } from '../src/session/session-store.ts'
import { ThrowAwayWords } from '../src/ui/throw-away-words.ts'

// Screens load parts of themselves when first wanted; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })

type Sent = Record<string, unknown>
/**
 * Replies of the server by the path of the call; a function is given the fields that were sent. A number is a status
 * without words; a reply with an `error_type` is refused as the wire does. The storage API answers by the end of the
 * address: `/schema`.
 */
export type Replies = Record<string, unknown>

/** Calls that were made, oldest first. */
export const sentCalls: { path: string; sent: Sent }[] = []

/** Addresses that were asked, oldest first: several calls of one request stand here once. */
export const askedAddresses: string[] = []

/** The last call of a path. */
export function lastSent(path: string): Sent | undefined {
  return sentCalls.findLast((call) => call.path === path)?.sent
}

/** Shows something to a person who is signed in, before a server that answers as told. */
export function showSignedIn(
  shown: ReactNode,
  replies: Replies = {},
  settings: Record<string, string> = {},
  permissions: Session['permissions'] = {},
  /** Of the organisation. */
  accountSettings: Record<string, string> = {},
) {
  sentCalls.length = 0
  askedAddresses.length = 0
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    askedAddresses.push(address)
    return answer(address, init, replies)
  })
  putSession({ status: 'established', session: { ...makeSession(settings, accountSettings), permissions } })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  return render(
    <MantineProvider env="test">
      <ThrowAwayWords value={throwAwayTexts()}>
        <QueryClientProvider client={client}>{shown}</QueryClientProvider>
      </ThrowAwayWords>
    </MantineProvider>,
  )
}

/** Holds back answers of a call, once something is shown, until they are let go. */
export function holdAnswers(path: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const answered = fetch
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    if (String(asked[0]).endsWith(`/${path}`)) await promise
    return answered(...asked)
  })
  return resolve
}

export function makeInbox(name: string, given: Partial<Inbox> = {}): Inbox {
  return {
    id: name,
    name,
    kind: 'group',
    idField: 'group_id',
    designation: 'CLOUD',
    namespaceId: `ns-${name}`,
    permissions: {},
    states: ['Inbox', 'Shared', 'Deleted'],
    ...given,
  }
}

function answer(address: string, init: RequestInit, replies: Replies): Response {
  const { pathname } = new URL(address, 'http://host')
  const stored = Object.entries(replies).find(([end]) => end.startsWith('/') && pathname.endsWith(end))
  if (stored) return Response.json(stored[1])
  const path = address.replace('/api/v3/', '')
  const body: unknown = JSON.parse(String(init.body))
  if (path === 'bundle') {
    const items = (body as Sent[]).map(({ URL: url, ...sent }) => {
      const { status, reply } = answerOne(String(url).slice(1), sent, replies)
      return { ...(reply as object), HTTP_STATUS_CODE: String(status) }
    })
    return Response.json(items)
  }
  const { status, reply } = answerOne(path, body as Sent, replies)
  return Response.json(reply, { status })
}

/** The keys under which the server does acts once differ by request: tests of them read what was sent by themselves. */
function answerOne(
  path: string,
  { idempotency_key: _key, ...sent }: Sent,
  replies: Replies,
): { status: number; reply: unknown } {
  sentCalls.push({ path, sent })
  const told = replies[path]
  const reply: unknown = typeof told === 'function' ? told(sent) : told
  if (typeof reply === 'number') return { status: reply, reply: { status: 'ERROR', error_type: 'NOT_PERMITTED' } }
  const isError = typeof reply === 'object' && reply !== null && 'error_type' in reply
  return { status: isError ? 412 : 200, reply: reply ?? { status: 'OK' } }
}

export function makeSession(
  settings: Record<string, string> = {},
  accountSettings: Record<string, string> = {},
): Session {
  return {
    sessionId: 'session',
    sid: 'sid',
    user: {
      uuid: 'u',
      name: 'Mel Tanaka',
      first: 'Mel',
      last: 'Tanaka',
      email: 'mel@clinic.example',
      namespace_id: 'ns-u',
      time_zone: 'UTC',
      mobile_phone: '',
      share_code: '',
      share_description: '',
    } as Session['user'],
    sessionExpire: 60,
    settings,
    accounts: [],
    account: {
      uuid: 'a',
      name: 'Northside',
      issuer: '',
      namespace_id: 'ns-a',
      settings: accountSettings,
    } as unknown as Session['account'],
    permissions: {},
  }
}
