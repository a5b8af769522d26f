import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { DeletedPanel } from './deleted-panel.tsx'
import { HeadActs } from './head-acts.tsx'
import { MessagePanel } from './message-panel.tsx'
import { StudyBanners } from './study-banners.tsx'

const permissions = { study_delete: 1 }
const retraction = { at: '2026-03-04 10:00:00.000000+00', by_name: 'Mei Tanaka', reason: 'Wrong patient' }
function show(
  study = makeStudy({ uuid: 's1', permissions }),
  replies: Replies = {},
  inAccount: Record<string, number> = {},
) {
  showSignedIn(
    <>
      <HeadActs study={study} designation="CLOUD" onDelete={() => {}} onMoved={() => {}} />
      <MessagePanel onOpen={() => undefined} />
    </>,
    { 'study/retract': { places: 2, copies: 0 }, 'study/revive': { status: 'OK' }, ...replies },
    {},
    inAccount,
  )
}
const openMenu = () => userEvent.click(screen.getByRole('button', { name: 'More actions' }))
const item = () => screen.queryByRole('menuitem', { name: 'Take back everywhere' })

test('takes an exam back everywhere with a reason, says from how many places, and Undo shows it again', async () => {
  show()
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take back everywhere' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take this exam back everywhere?' }))
  const button = dialog.getByRole('button', { name: 'Take back everywhere' })
  expect(button).toHaveProperty('disabled', true)
  await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' Wrong patient ')
  await userEvent.click(button)
  expect(await screen.findByText('The exam was taken back here and from 2 other places.')).toBeDefined()
  expect(lastSent('study/retract')).toEqual({ uuid: 's1', reason: 'Wrong patient' })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(lastSent('study/revive')).toEqual({ uuid: 's1' }))
})

test('keeps the reason and says so when it did not work', async () => {
  show(undefined, { 'study/retract': 500 })
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take back everywhere' }))
  const field = screen.getByRole('textbox', { name: /^Reason/ })
  await userEvent.type(field, 'Wrong')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take back everywhere' }))
  expect(await screen.findByText(/The exam could not be taken back/)).toBeDefined()
  expect(field).toHaveProperty('value', 'Wrong')
})

test('is not offered for what came by a share, nor without the right', async () => {
  show(makeStudy({ permissions, source: 'share' }))
  await openMenu()
  await screen.findByRole('menuitem', { name: 'Delete exam' })
  expect(item()).toBeNull()
})

test('is offered to an administrator of the account without the right to delete, and then without Undo', async () => {
  show(makeStudy({ uuid: 's1', permissions: { study_view: 1 } }), {}, { account_edit: 1 })
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take back everywhere' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Wrong patient')
  await userEvent.click(dialog.getByRole('button', { name: 'Take back everywhere' }))
  expect(await screen.findByText('The exam was taken back here and from 2 other places.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  cleanup()
  show(makeStudy({ permissions: { study_view: 1 } }), {}, { account_view: 1 })
  expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull()
})

test('says of a study that was taken back by whom and why, in the bin and where it comes again', async () => {
  showSignedIn(<DeletedPanel study={makeStudy({ is_deleted: 1, permissions, retraction })} />)
  expect(screen.getByText(/taken back everywhere by Mei Tanaka on .*: Wrong patient\./).textContent).toContain(
    'Restored, it is there again for all who had it.',
  )
  showSignedIn(<StudyBanners study={makeStudy({ must_approve: 1, permissions, retraction })} />)
  expect(screen.getByText(/taken back from here by Mei Tanaka .*: Wrong patient\./)).toBeDefined()
})

test('says of a copy without names that it was taken back, and neither by whom nor why', () => {
  const untold = { ...retraction, by_name: '', reason: '' }
  showSignedIn(<DeletedPanel study={makeStudy({ is_deleted: 1, permissions, retraction: untold })} />)
  expect(screen.getByText(/taken back everywhere by its owner on /)).toBeDefined()
  showSignedIn(<StudyBanners study={makeStudy({ must_approve: 1, permissions, retraction: untold })} />)
  expect(screen.getByText(/taken back from here by its owner on .*\. Look at both/)).toBeDefined()
})
