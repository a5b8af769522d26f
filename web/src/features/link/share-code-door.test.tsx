import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { ShareCodeDoor } from './share-code-door.tsx'

const place = {
  share_name: 'Emergency',
  account_name: 'Northside',
  share_description: 'Bring it here',
  takes_uploads: 1,
}

function show(replies: Replies = {}) {
  const onOpened = vi.fn()
  showSignedIn(<ShareCodeDoor code="EMERG1" onOpened={onOpened} />, {
    'namespace/share_code': place,
    'namespace/share_code/open': { sid: 'sid1', action: 'STUDY_UPLOAD', expires_at: '' },
    ...replies,
  })
  return onOpened
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('says whom the code reaches, and opens nothing before the button is pressed', async () => {
  const onOpened = show()
  expect(await screen.findByText('Emergency, Northside')).toBeDefined()
  expect(screen.getByText('Bring it here')).toBeDefined()
  expect(sentCalls.some(({ path }) => path === 'namespace/share_code/open')).toBe(false)
  await press('Send exams')
  await waitFor(() => expect(onOpened.mock.calls[0]?.[0]).toEqual({ sid: 'sid1', action: 'STUDY_UPLOAD' }))
  expect(lastSent('namespace/share_code/open')).toEqual({ share_code: 'EMERG1' })
})

test('leads to the sign-in where a login is needed', async () => {
  show({ 'namespace/share_code': { ...place, takes_uploads: 0 } })
  expect((await screen.findByRole('link', { name: 'Log in' })).getAttribute('href')).toBe('/')
  expect(screen.queryByRole('button', { name: 'Send exams' })).toBeNull()
})

test.each([
  ['NOT_FOUND', /There is no such share code/],
  ['LOCKOUT', /Too many share codes were tried/],
])('says in words why it opens nothing: %s', async (code, words) => {
  let isUp = false
  show({ 'namespace/share_code': () => (isUp ? place : { error_type: code }) })
  expect(await screen.findByText(words)).toBeDefined()
  isUp = true
  await press('Try again')
  expect(await screen.findByText('Emergency, Northside')).toBeDefined()
})
