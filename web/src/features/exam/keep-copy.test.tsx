import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { ShareTab } from './share-tab.tsx'

const permissions = { study_share: 1, study_share_user: 1, study_duplicate: 1, study_upload: 1 }
const received = {
  from_name: 'Emergency',
  from_account: '',
  by_name: 'Mei Tanaka',
  message: '',
  delivered_at: '2026-03-04 10:00:00.000000+00',
  expires_at: '2026-03-11 10:00:00.000000+00',
}
const access = {
  owner: { kind: 'user', name: 'Sofia' },
  received: [received],
  has_copy: false,
  keep_refused: '',
  shares: [] as object[],
}
const ok = { status: 'OK' }

function show(replies: Replies = {}, more: Parameters<typeof makeStudy>[0] = {}) {
  const study = makeStudy({ uuid: 's1', phi_namespace: 'n1', arrival: 'complete', permissions, ...more })
  showSignedIn(<ShareTab study={study} />, { 'study/share/access': access, 'study/duplicate': ok, ...replies })
}
const button = () => screen.findByRole('button', { name: 'Keep a copy' })

test('keeps a copy of what was received, in the place where it is', async () => {
  show()
  await userEvent.click(await button())
  expect(await screen.findByText('A copy is kept. It stays here when sharing ends.')).toBeDefined()
  expect(lastSent('study/duplicate')).toEqual({ uuid: 's1', namespace_id: 'n1' })
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('says why no copy could be kept, and tries again', async () => {
  let isBroken = true
  show({ 'study/duplicate': () => (isBroken ? { error_type: 'NOT_PERMITTED' } : ok) })
  await userEvent.click(await button())
  expect(await screen.findByText(/^No copy could be kept\./)).toBeDefined()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('A copy is kept. It stays here when sharing ends.')).toBeDefined()
})

test('offers no copy of a study that is one’s own', async () => {
  show({ 'study/share/access': { ...access, received: [] } })
  await screen.findByText(/^My studies of/)
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('says that a copy is kept already', async () => {
  show({ 'study/share/access': { ...access, has_copy: true } })
  expect(await screen.findByText('A copy is kept here. It stays when sharing ends.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('offers no copy where the other organisation allows none, and says what keeps the exam', async () => {
  const outside = { ...received, from_account: 'Northside Imaging' }
  show({ 'study/share/access': { ...access, received: [outside], keep_refused: 'allow_copies' } })
  expect(
    await screen.findByText(/^The organisation that sent this exam does not let others keep a copy\./),
  ).toBeDefined()
  expect(screen.getByText(/^Shared by Mei Tanaka from Emergency, Northside Imaging/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('says that images of another organisation do not stay beside one’s own', async () => {
  const outside = { ...received, from_account: 'Northside Imaging' }
  show({ 'study/share/access': { ...access, received: [outside], keep_refused: 'own_images' } })
  expect(await screen.findByText(/^Only the images that were added here stay when sharing ends/)).toBeDefined()
  expect(screen.queryByText(/A copy is kept here/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('offers no copy to a role without the right to it', async () => {
  show({}, { permissions: { ...permissions, study_duplicate: 0 } })
  await screen.findByText(/^My studies of/)
  expect(screen.queryByRole('button', { name: 'Keep a copy' })).toBeNull()
})

test('waits until all images are here', async () => {
  show({}, { arrival: 'receiving' })
  expect(await button()).toHaveProperty('disabled', true)
  expect(screen.getByText('As soon as all images are here.')).toBeDefined()
})

test('tells the sender who has a copy, also when sharing is stopped', async () => {
  const person = {
    kind: 'user',
    uuid: 'p1',
    name: 'Sofia Lindqvist',
    user_email: 'sofia@hospital.example',
    state: 'delivered',
    failure: null,
    message: '',
    by_name: 'Mei Tanaka',
    created: '2026-03-04 10:00:00.000000+00',
    run_at: null,
    expires_at: null,
    expires: null,
    has_copy: true,
  }
  show({ 'study/share/access': { ...access, received: [], shares: [person] }, 'study/share/stop': ok })
  expect(await screen.findByText('Has a copy, which stays when you stop sharing')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' }))
  expect(await screen.findByText('Sharing with Sofia Lindqvist was stopped. A copy stays there.')).toBeDefined()
})
