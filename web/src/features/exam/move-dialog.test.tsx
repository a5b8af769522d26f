import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearActMessages } from '../../state/act-messages.ts'
import { mark, useMarked } from '../../state/marked-studies.ts'
import { BatchActs } from './batch-acts.tsx'
import { MessagePanel } from './message-panel.tsx'
import { MoveDialog } from './move-dialog.tsx'

const permissions = { study_share: 1, study_share_group: 1, study_delete: 1, study_report_view: 1 }
const ann = makeStudy({ uuid: 'a', patient_name: 'DOE^ANN', attachment_count: 2, permissions })
const bob = makeStudy({ uuid: 'b', patient_name: 'ROE^BOB', permissions })
const cardio = { uuid: 'g', name: 'Cardiology', user_email: '' }
const shareOf = (given: object) => ({
  share: { uuid: 'share', is_new: 1, changed: [], left_out: [], run_at: null, expires_at: null, ...given },
})
const accessOf = (given: object) => ({
  shares: [{ kind: 'group', uuid: 'g', state: 'delivered', awaits_approval: false, expires_at: null, ...given }],
})

beforeEach(clearActMessages)

function show(replies: Replies = {}, studies = [ann, bob]) {
  mark('view', studies, true)
  showSignedIn(
    <>
      <MoveDialog studies={studies} onClose={() => undefined} />
      <MessagePanel onOpen={() => undefined} />
      <Marks />
    </>,
    {
      'study/share/who': { shares: [cardio, { ...cardio, uuid: 'h', name: 'Harbour' }], page: { more: 0 } },
      'study/share': ({ uuid }: { uuid: string }) => shareOf({ uuid: `share of ${uuid}` }),
      ...accessAfter(accessOf({})),
      'study/delete/people': { count: 0, people: [] },
      ...replies,
    },
  )
}
const Marks = () => <p>{useMarked('view').size} marked</p>
/** Nothing stands before the move; afterwards the group has it as said. */
const accessAfter = (given: object | number): Replies => ({
  'study/share/access': ({ uuid }: { uuid: string }) =>
    onlyUuid('study/share').includes(uuid) ? given : { shares: [] },
})
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const choose = async (name: string) => {
  await userEvent.type(screen.getByRole('combobox', { name: 'Group' }), name.slice(0, 4))
  await userEvent.click(await screen.findByRole('option', { name }))
}
const acts = ['study/share', 'study/delete', 'study/revive', 'study/share/stop']
const sent = () => sentCalls.filter(({ path }) => acts.includes(path)).map(({ path, sent: one }) => [path, one])
const onlyUuid = (path: string) => sentCalls.filter((one) => one.path === path).map(({ sent: one }) => one['uuid'])

test('[LIST-15] [GRID-05] each is shared for good with its files and then deleted here, and Undo takes both back', async () => {
  show()
  await choose('Harbour')
  await choose('Cardiology') // in the place of the first
  await press('Move 2 exams')
  await screen.findByText('2 exams were moved to Cardiology')
  expect(screen.getByText('0 marked')).toBeTruthy()
  expect(screen.getByText('DOE, ANN · CT HEAD')).toBeTruthy()
  expect(sent()).toEqual([
    ['study/share', { uuid: 'a', group_id: 'g', expires: 0, attachments: 1 }],
    ['study/share', { uuid: 'b', group_id: 'g', expires: 0 }],
    ['study/delete', expect.objectContaining({ uuid: 'a' })],
    ['study/delete', expect.objectContaining({ uuid: 'b' })],
  ])
  await press('Undo')
  await screen.findByText('Everything is as it was before.')
  expect(sent().slice(4)).toEqual([
    ['study/revive', { uuid: 'a' }],
    ['study/revive', { uuid: 'b' }],
    ['study/share/stop', { uuid: 'a', group_id: 'g', share_id: 'share of a' }],
    ['study/share/stop', { uuid: 'b', group_id: 'g', share_id: 'share of b' }],
  ])
})

test.each([
  ['waits for approval there', accessOf({ awaits_approval: true }), 'It waits for approval there.'],
  ['ends there', accessOf({ expires_at: '2030-01-01 10:00:00.000000+00' }), 'for a limited time'],
  ['is not known to have come there', 500, 'It is not known'],
])('one that %s stays here too, and says so', async (_what, access, words) => {
  show(accessAfter(access), [bob])
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('1 exam is now in Cardiology, and still here')
  expect(screen.getByText(new RegExp(`^ROE, BOB: .*${words}`))).toBeTruthy()
  expect(onlyUuid('study/delete')).toEqual([])
  expect(onlyUuid('study/share/stop')).toEqual([])
  expect(screen.getByText('1 marked')).toBeTruthy()
})

test('[ERROR-20] one that must be kept is as it was before: the share of the move is stopped again', async () => {
  const held = { error_type: 'NOT_PERMITTED', error_subtype: 'hold' }
  show({ 'study/delete': ({ uuid }: { uuid: string }) => (uuid === 'a' ? held : undefined) })
  await choose('Cardiology')
  await press('Move 2 exams')
  await screen.findByText('1 exam was not moved')
  expect(screen.getByText('DOE, ANN: It is on hold and must be kept.')).toBeTruthy()
  expect(screen.getByText('1 exam was moved to Cardiology')).toBeTruthy()
  expect(onlyUuid('study/share/stop')).toEqual(['a'])
})

test('a share that was there before the move stays, also after Undo', async () => {
  show({ 'study/share': shareOf({ is_new: 0 }), 'study/share/access': accessOf({}) }, [bob])
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('1 exam was moved to Cardiology')
  await press('Undo')
  await screen.findByText('Everything is as it was before.')
  expect(onlyUuid('study/share/stop')).toEqual([])
})

test.each([
  ['for a time', { expires_at: '2030-01-01 10:00:00.000000+00' }, /limited time\. Stop sharing/],
  ['later', { state: 'scheduled', run_at: '2030-01-01 10:00:00.000000+00' }, /later\. Cancel that/],
  ['once it is approved', { awaits_approval: true }, /Move it once it is approved/],
])(
  '[ERROR-20] one that the group was given %s before is named with the reason, and its share stays as it was',
  async (_how, given, words) => {
    show({
      'study/share/access': ({ uuid }: { uuid: string }) => (uuid === 'b' ? accessOf(given) : accessOf({})),
    })
    await choose('Cardiology')
    await press('Move 2 exams')
    await screen.findByText('1 exam was moved to Cardiology')
    expect(screen.getByText('1 exam was not moved')).toBeTruthy()
    expect(screen.getByText(words).textContent).toMatch(/^ROE, BOB: /)
    expect([...onlyUuid('study/share'), ...onlyUuid('study/delete')]).toEqual(['a', 'a'])
  },
)

test('a failed share with the group, and one with a person of the same number, are no obstacles', async () => {
  const before = {
    shares: [...accessOf({ state: 'failed' }).shares, { ...accessOf({ expires_at: 'x' }).shares[0], kind: 'user' }],
  }
  show({ 'study/share/access': () => (onlyUuid('study/share').length === 0 ? before : accessOf({})) }, [bob])
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('1 exam was moved to Cardiology')
  expect(onlyUuid('study/delete')).toEqual(['b'])
})

test.each(['end', 'attachments', 'moment'])(
  'what the move changed of a share that was there (%s) is not called as it was before',
  async (change) => {
    show(
      {
        'study/share': shareOf({ is_new: 0, changed: [change] }),
        'study/delete': { error_type: 'NOT_PERMITTED', error_subtype: 'hold' },
      },
      [bob],
    )
    await choose('Cardiology')
    await press('Move exam')
    await screen.findByText('1 exam is now in Cardiology, and still here')
    expect(onlyUuid('study/share/stop')).toEqual([])
  },
)

test('Undo says that not everything is as before where the move changed a share that was there', async () => {
  show({ 'study/share': shareOf({ is_new: 0, changed: ['attachments'] }) }, [bob])
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('1 exam was moved to Cardiology')
  await press('Undo')
  await screen.findByText(/Not everything could be put back/)
  expect(screen.queryByText('Everything is as it was before.')).toBeNull()
})

test('what was not shared is not deleted', async () => {
  show({ 'study/share': { error_type: 'SHARE_FAILED', error_subtype: 'SAME' } }, [bob])
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('ROE, BOB: The exam lies there already.')
  expect(onlyUuid('study/delete')).toEqual([])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test.each([
  [{ arrival: 'receiving' as const }, 'Images are still missing.'],
  [{ is_deidentified: 1 }, 'A copy without names stays with its key.'],
  [{ nomination: makeNomination({ side: 'source', state: 'nominated' }) }, /has not decided on its nomination/],
  [{ nomination: makeNomination({ side: 'gate', state: 'completed' }) }, /which is decided on here/],
])('one that has to stay is named with the reason, and the others go: %o', async (given, reason) => {
  show({}, [makeStudy({ uuid: 'c', patient_name: 'POE^CYD', permissions, ...given }), bob])
  expect(screen.getByText(reason)).toBeTruthy()
  await choose('Cardiology')
  await press('Move exam')
  await screen.findByText('1 exam was moved to Cardiology')
  expect(onlyUuid('study/share')).toEqual(['b'])
})

test('[PERM-01] is off where one of them may not be deleted, or not given with its files', () => {
  const held = makeStudy({ uuid: 'c', patient_name: 'POE^CYD', permissions: { ...permissions, study_delete: 0 } })
  const filed = makeStudy({
    uuid: 'd',
    patient_name: 'LOE^DON',
    attachment_count: 1,
    permissions: { ...permissions, study_report_view: 0 },
  })
  showSignedIn(<BatchActs studies={[bob, held, filed]} onMoved={() => undefined} />)
  expect((screen.getByRole('button', { name: 'Move …' }) as HTMLButtonElement).disabled).toBe(true)
  expect(screen.getByText('Moving is off: your role does not permit a change for POE, CYD and 1 more.')).toBeTruthy()
})
