import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { ApprovalBanner } from './approval-banner.tsx'

const permissions = { study_approve: 1 }
const waiting = (uuid: string, more: Parameters<typeof makeStudy>[0] = {}) =>
  makeStudy({ uuid, must_approve: 1, permissions, ...more })
const received = [
  {
    from_name: 'Emergency',
    from_account: 'Northside Imaging',
    by_name: 'Mei Tanaka',
    message: 'Please check',
    awaits_approval: true,
    delivered_at: null,
    expires_at: null,
  },
  {
    from_name: 'Library',
    from_account: '',
    by_name: 'Nobody Else',
    message: '',
    awaits_approval: false,
    delivered_at: null,
    expires_at: null,
  },
]
const ok = { status: 'OK' }
function show(studies = [waiting('s1')], replies: Replies = {}) {
  const onRejected = vi.fn()
  showSignedIn(<ApprovalBanner studies={studies} onRejected={onRejected} />, {
    'study/share/access': { received, shares: [] },
    'study/approve': ok,
    'study/reject': ok,
    ...replies,
  })
  return onRejected
}

test('says that a study waits and from whom, and approves it', async () => {
  show()
  expect(screen.getByRole('status').textContent).toMatch(/^This exam waits for approval/)
  const sender = await screen.findByText(/^Shared by Mei Tanaka from Emergency, Northside Imaging/)
  expect(sender.textContent).toBe('Shared by Mei Tanaka from Emergency, Northside Imaging Please check')
  expect(screen.getByText('Please check')).toBeDefined()
  expect(screen.queryByText(/Nobody Else/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(lastSent('study/approve')).toEqual({ uuid: 's1' }))
})

test('names whoever sent an exam by a share code or a request, in the words of the sender', async () => {
  const byCode = { sender: 'GP Dr Klein', by_share_code: 1, requested_by: 'Amara Okafor' }
  const asked = { sender: 'Clinic West', by_share_code: 0, requested_by: 'Amara Okafor' }
  show([waiting('s1')], { 'study/share/access': { received: [], sent_by: [byCode, asked], shares: [] } })
  expect(await screen.findByText('Sent by GP Dr Klein, with the share code')).toBeDefined()
  expect(screen.getByText('Sent by Clinic West, at the request of Amara Okafor')).toBeDefined()
})

test('asks for a reason before it rejects, and closes what is gone', async () => {
  const onRejected = show()
  await userEvent.click(screen.getByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject this exam?' }))
  expect(dialog.getByRole('button', { name: 'Reject' })).toHaveProperty('disabled', true)
  await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), '  Wrong patient ')
  await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(lastSent('study/reject')).toEqual({ uuid: 's1', message: 'Wrong patient' }))
  await waitFor(() => expect(onRejected).toHaveBeenCalled())
})

test('decides on several at once, and names each that failed with its reason', async () => {
  show([waiting('s1'), waiting('s2', { patient_name: 'ROE^RICHARD' })], {
    'study/reject': ({ uuid }: Record<string, unknown>) =>
      uuid === 's2' ? { error_type: 'NOT_PERMITTED', error_subtype: 'approved' } : ok,
  })
  expect(screen.getByRole('status').textContent).toMatch(/^These 2 exams wait for approval/)
  await userEvent.click(screen.getByRole('button', { name: 'Reject' }))
  await userEvent.type(screen.getByRole('textbox', { name: /^Reason/ }), 'No')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reject' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('ROE, RICHARD: Nothing waits any more: somebody else decided.')
  expect(sentCalls.filter(({ path }) => path === 'study/reject')).toHaveLength(2)
})

test.each([
  ['by the server', { error_type: 'NOT_PERMITTED', error_subtype: 'hold' }],
  ['because the server failed', 500],
])(
  'a rejection that is refused %s keeps its dialog with the reason typed, says why in it, and a new one begins without',
  async (_, refusal) => {
    const onRejected = show([waiting('s1')], { 'study/reject': refusal })
    await userEvent.click(screen.getByRole('button', { name: 'Reject' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Reject this exam?' }))
    await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Wrong patient')
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    expect((await dialog.findByRole('alert')).textContent).not.toBe('')
    expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ }).value).toBe('Wrong patient')
    expect(screen.getAllByRole('alert', { hidden: true })).toHaveLength(1)
    expect(onRejected).not.toHaveBeenCalled()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'Reject' }))
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('is there for images that wait beside a study, and neither without the right nor where one of several does not wait', () => {
  show([waiting('s1', { must_approve: 0, has_waiting_shares: 1 })])
  expect(screen.getByRole('status').textContent).toMatch(/^More images of this exam wait/)
  show([waiting('s1', { permissions: {} })])
  show([waiting('s1'), makeStudy({ permissions })])
  expect(screen.getAllByRole('button', { name: 'Approve' })).toHaveLength(1)
})
