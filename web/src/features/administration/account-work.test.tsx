import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { AccountWork } from './account-work.tsx'

afterEach(() => vi.unstubAllGlobals())

const work = (uuid: string, given: object = {}) => ({
  uuid,
  job: 'wrap-attachment',
  state: 'waiting',
  run_at: '2026-01-01 08:00:00.000000+00',
  tries: 0,
  error: null,
  message: null,
  user_id: 'u',
  user_name: 'Nils Brandt',
  study_id: 's',
  created: '2026-01-01 08:00:00.000000+00',
  updated: '2026-01-02 09:30:00.000000+00',
  ...given,
})
const show = (replies: Replies, permissions = { account_edit: 1 }) =>
  showSignedIn(<AccountWork />, replies, {}, permissions)
const rows = async () => (await screen.findAllByRole('row')).slice(1)

test('says of each job what it is, for whom, how it stands, why, and since when', async () => {
  show({
    'job/list': {
      work: [
        work('waits'),
        work('planned', { run_at: '2999-01-01 08:00:00.000000+00', job: 'send-later', user_name: '' }),
        work('again', { tries: 1, error: 'REFUSED', message: 'The destination refused' }),
        work('runs', { state: 'running', tries: 1 }),
        work('stuck', { state: 'failed', tries: 3, error: 'REFUSED', message: '' }),
        work('over', { state: 'cancelled' }),
      ],
    },
  })
  const texts = (await rows()).map((row) => row.textContent)
  expect(texts[0]).toMatch(/^Making images of an attachmentNils BrandtWaits for its turn.*2026/)
  expect(texts[1]).toMatch(/^send-laterthe server itselfPlanned for .*2999/)
  expect(texts[2]).toMatch(/Waits for its next tryThe destination refused/)
  expect(texts[3]).toMatch(/Running/)
  expect(texts[4]).toMatch(/Given upREFUSED3 tries/)
  expect(texts[5]).toMatch(/Cancelled/)
  const acts = (await rows()).map((row) => within(row).getByRole('button').textContent)
  expect(acts).toEqual(['Cancel', 'Cancel', 'Cancel', 'Cancel', 'Try again', 'Try again'])
  expect(lastSent('job/list')).toMatchObject({ account_id: 'a' })
})

test('has a job done once more and cancels one, and reads the list anew', async () => {
  let state = 'failed'
  show({
    'job/list': () => ({ work: [work('one', { state })] }),
    'job/retry': () => {
      state = 'waiting'
      return {}
    },
    'job/cancel': () => {
      state = 'cancelled'
      return { state: 'cancelled' }
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Try again: Making images of an attachment' }))
  await screen.findByText('Waits for its turn')
  expect(lastSent('job/retry')).toMatchObject({ uuid: 'one' })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel: Making images of an attachment' }))
  await screen.findByText('Cancelled')
  expect(lastSent('job/cancel')).toMatchObject({ uuid: 'one' })
})

test('says that a job had ended before it could be cancelled', async () => {
  show({ 'job/list': { work: [work('one')] }, 'job/cancel': 404 })
  await userEvent.click(await screen.findByRole('button', { name: /^Cancel/ }))
  expect(await screen.findByText('That could not be done: the job may have ended meanwhile.')).toBeDefined()
})

test('says that nothing is to do, and that the list could not be loaded', async () => {
  let isDown = true
  show({ 'job/list': () => (isDown ? 500 : { work: [] }) })
  await screen.findByText('The jobs could not be loaded.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Nothing waits, and nothing was given up.')
  expect(screen.queryByText('The jobs could not be loaded.')).toBeNull()
})

test('asks nothing for those who may not see it', async () => {
  showSignedIn(<AccountWork />, {}, {}, { account_user_view: 1 })
  await screen.findByText('Only administrators may open this page.')
  expect(lastSent('job/list')).toBeUndefined()
})
