import type { Nomination } from '@hilum/contract/entities/study'
import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { nominationState } from '../../queries/nominations.ts'
import { clearDrafts } from '../../state/drafts.ts'
import { columnsOf } from '../../fields/custom-field-text.ts'
import { NominatePart } from './nominate-part.tsx'
import { PacsTab } from './pacs-tab.tsx'
import { PushReason } from './push-reason.tsx'

const why = {
  uuid: 'f1',
  name: 'why',
  type: 'text',
  value: '',
  required: 1,
  options: { field_label: 'Why' },
  ui_json: {},
}
const gate = { uuid: 'g1', name: 'Gateway', customfields: [why], missing_fields: 0, closed_fields: 0 }
const permissions = { study_share: 1, study_share_group: 1 }
const show = (nomination?: Nomination, more: Replies = {}, isAlone = true) => {
  const study = makeStudy({ uuid: 's1', permissions, ...(nomination ? { nomination } : {}) })
  const replies = { 'study/nominate/form': { gatekeepers: [gate] }, 'study/share': {}, 'study/share/stop': {}, ...more }
  return showSignedIn(<NominatePart study={study} isAlone={isAlone} />, replies)
}
const button = (name: string) => screen.findByRole('button', { name })
const refused = (code: string) => ({ status: 'ERROR', error_type: code })

afterEach(() => {
  act(clearDrafts)
  vi.unstubAllGlobals()
})

test('[NOMINATE-02][NOMINATE-03] the state of a nomination follows from what the study tells', () => {
  const of = (state: Nomination['state']) => nominationState({ nomination: makeNomination({ state }) })
  expect([nominationState(undefined), nominationState({})]).toEqual(['EVALUATING', 'NOT_NOMINATED'])
  expect([of('nominated'), of('queued'), of('failed')]).toEqual(['IS_NOMINATED', 'IS_NOMINATED', 'IS_NOMINATED'])
  expect([of('rejected'), of('completed')]).toEqual(['REJECTED', 'NOMINATION_SUCCESS'])
})

test('[NOMINATE-01][NOMINATE-06][NOMINATE-07] nominates with the answers of the form, and not without those it requires', async () => {
  show()
  await userEvent.click(await button('Nominate'))
  expect(await screen.findByText('Please complete all the mandatory fields.')).toBeDefined()
  expect(sentCalls.filter(({ path }) => path === 'study/share')).toEqual([])
  fireEvent.change(screen.getByRole('textbox', { name: /Why/ }), { target: { value: 'Surgery' } })
  await userEvent.click(await button('Nominate'))
  await vi.waitFor(() =>
    expect(lastSent('study/share')).toEqual({ uuid: 's1', group_id: 'g1', 'customfield-f1': 'Surgery' }),
  )
})

test('[NOMINATE-04] tells that a correction has not reached the gatekeeper group, and nominates again with it', async () => {
  const answers = { f1: 'Surgery' }
  const { unmount } = show(makeNomination({ answers }))
  await button('Details')
  expect(screen.queryByRole('button', { name: 'Nominate again' })).toBeNull()
  unmount()
  show(makeNomination({ answers, is_corrected: 1 }))
  await screen.findByText(/Gateway still has it as it was/)
  await userEvent.click(await button('Nominate again'))
  await vi.waitFor(() =>
    expect(lastSent('study/share')).toEqual({ uuid: 's1', group_id: 'g1', 'customfield-f1': 'Surgery' }),
  )
})

test('[NOMINATE-07][ERROR-23] tells of fields that are gone, of no form at all, and of a nomination that was not taken', async () => {
  const broken = { 'study/nominate/form': { gatekeepers: [{ ...gate, customfields: [], missing_fields: 1 }] } }
  const first = show(undefined, broken)
  expect(await screen.findByText(/names 1 custom field that does not exist/)).toBeDefined()
  expect(await button('Nominate')).toHaveProperty('disabled', true)
  first.unmount()
  const second = show(undefined, { 'study/nominate/form': { gatekeepers: [] } })
  expect(await screen.findByText('PACS form not configured. Contact your administrator')).toBeDefined()
  second.unmount()
  show(undefined, { 'study/share': refused('PENDING') })
  fireEvent.change(await screen.findByRole('textbox', { name: /Why/ }), { target: { value: 'x' } })
  await userEvent.click(await button('Nominate'))
  expect(await screen.findByText(/Nomination form submission failed\. The exam is nominated already/)).toBeDefined()
})

test('[NOMINATE-06][ERROR-23] tells of a required question that the role does not show, and nominates nothing', async () => {
  show(undefined, { 'study/nominate/form': { gatekeepers: [{ ...gate, customfields: [], closed_fields: 1 }] } })
  await screen.findByText('Your role does not show a question that this group requires. Contact your administrator.')
  expect(await button('Nominate')).toHaveProperty('disabled', true)
  expect(screen.queryByText(/does not exist/)).toBeNull()
})

test.each([
  ['the place nominates nowhere any more', { gatekeepers: [] }],
  ['the groups cannot be loaded', refused('INTERNAL_ERROR')],
])('[ERROR-23] a nomination that is not sent again is told of with the reason, also where %s', async (_how, form) => {
  const denied = { ...refused('NOT_PERMITTED'), error_subtype: 'group_id' }
  show(makeNomination({ state: 'failed', destination_name: 'PACS' }), {
    'study/nominate/form': form,
    'study/share': denied,
  })
  const [retry] = await screen.findAllByRole('button', { name: 'Retry' })
  const status = screen.getByText(/Failed to send exam to PACS/).closest('[data-tone]') as HTMLElement
  await userEvent.click(within(status).getByRole('button', { name: 'Retry' }))
  expect(retry).toBeDefined()
  await screen.findByText(
    'Nomination form submission failed. Exams of this place are not nominated to this group any more.',
  )
})

test('[NOMINATE-01][NOMINATE-05][ERROR-23] shows details, and cancels after a question', async () => {
  show(makeNomination({ answers: { f1: 'Surgery' } }), { 'study/share/stop': refused('PENDING') })
  await userEvent.click(await button('Details'))
  const details = await screen.findByRole('dialog', { name: 'Nomination', hidden: true })
  expect(within(details).getByText('Surgery')).toBeDefined()
  await userEvent.click(within(details).getByRole('button', { name: 'Close', hidden: true }))
  await userEvent.click(await button('Cancel nomination'))
  const asked = await screen.findByRole('dialog', { name: 'Cancel the nomination?', hidden: true })
  await userEvent.click(within(asked).getByRole('button', { name: 'Cancel nomination', hidden: true }))
  expect(await screen.findByText(/Failed to cancel the nomination, please try again!/)).toBeDefined()
  expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', group_id: 'g1' })
})

test('[NOMINATE-06] shows the answer to a question that was deleted, by the name that it had', async () => {
  const options = { field_label: 'When is the surgery?' }
  const question = { uuid: 'gone', name: 'surgery', type: 'date', options }
  show(makeNomination({ answers: { gone: '2026-03-09' }, deleted_questions: [question] }))
  await userEvent.click(await button('Details'))
  const details = await screen.findByRole('dialog', { name: 'Nomination', hidden: true })
  expect(details.textContent).toContain('When is the surgery?')
  expect(details.textContent).toContain('2026')
})

test.each([
  ['queued', 'status', 'info', /Queued to be sent to PACS · /],
  ['completed', 'status', 'completed', /Sent to PACS · /],
  ['rejected', 'status', 'neutral', /Rejected by Gateway · .*Reason: No indicationAsk again/],
  ['failed', 'alert', 'failed', /Failed to send exam to PACS\..*answered A700/],
] as const)(
  '[NOMINATE-08][NOMINATE-09][NOMINATE-10][NOMINATE-11] a nomination that is %s',
  async (state, role, tone, words) => {
    const updated = new Date(Date.now() - 3 * 60_000).toISOString().replace('T', ' ').replace('Z', '000+00')
    const told = {
      rejected: { reason: 'No indication', message: 'Ask again' },
      failed: { status_reason: '0 of 2 images sent. Not sent: answered A700.' },
      queued: {},
      completed: {},
    }[state]
    show(makeNomination({ state, updated, destination_name: 'PACS', answers: { f1: 'Surgery' }, ...told }))
    await screen.findByRole('button', { name: 'Details' })
    const banner = screen.getAllByRole(role).find((one) => words.test(one.textContent))
    expect(banner?.textContent).toMatch(/3 min/)
    expect(banner?.getAttribute('data-tone')).toBe(tone)
    expect(banner?.querySelectorAll('.mantine-Loader-root')).toHaveLength(state === 'queued' ? 1 : 0)
    expect(screen.queryByRole('button', { name: 'Cancel nomination' }) !== null).toBe(state === 'rejected')
    if (state !== 'failed') return
    await userEvent.click(await button('Retry'))
    await vi.waitFor(() =>
      expect(lastSent('study/share')).toEqual({ uuid: 's1', group_id: 'g1', 'customfield-f1': 'Surgery' }),
    )
  },
)

test('[CONST-07] a field takes 1 to 12 columns of its block; gate-tables.e2e.ts measures the drawn form', () => {
  const of = (ui_json: unknown) => columnsOf({ ui_json })
  expect([of({ grid_columns: 4 }), of('{"grid_columns":"6"}'), of({ grid_columns: 13 }), of(null)]).toEqual([
    4, 6, 12, 12,
  ])
})

test('an exam is sent to a destination that is chosen, and its history tells how far each is', async () => {
  const push = {
    commitment: null,
    commitment_reason: '',
    late_image_count: 0,
    updated: '2026-03-02 10:00:00.000000+00',
  }
  const one = (destination_uuid: string, status: string, more: object = {}) => ({
    ...push,
    destination_uuid,
    destination_name: destination_uuid.toUpperCase(),
    status,
    status_reason: '',
    is_overtaken: 0,
    wants_reason: 0,
    question: '',
    ...more,
  })
  const study_push_status = [
    one('d1', 'S'),
    one('d2', 'F', { status_reason: '0 of 2 images sent.' }),
    one('d3', 'F', {
      status_reason: 'Not sent. The destination holds another patient.',
      wants_reason: 1,
      question: 'q3',
    }),
    one('d4', 'F', { is_overtaken: 1 }),
  ] as unknown as ReturnType<typeof makeStudy>['study_push_status']
  const study = makeStudy({ uuid: 's1', permissions: { ...permissions, study_push: 1 }, study_push_status })
  const destinations = ['d1', 'd2', 'd3'].map((uuid) => ({
    uuid,
    name: uuid.toUpperCase(),
    can_push: 1,
    group_ids: null,
  }))
  showSignedIn(<PacsTab study={study} />, {
    'study/nominate/form': { gatekeepers: [] },
    'destination/list': { destinations, page: { more: 0 } },
    'study/push': { uuid: 'p' },
  })
  const direct = await screen.findByRole('region', { name: 'Send to a PACS directly' })
  const select = await within(direct).findByRole('combobox')
  const send = within(direct).getByRole('button', { name: 'Send to PACS' })
  expect(send).toHaveProperty('disabled', true)
  fireEvent.change(select, { target: { value: 'd1' } })
  await userEvent.click(send)
  await vi.waitFor(() => expect(lastSent('study/push')).toEqual({ uuid: 's1', destination_id: 'd1' }))

  const tones = within(direct)
    .getAllByText(/^D\d: /)
    .map((line) => line.closest('[data-tone]')?.getAttribute('data-tone'))
  expect(tones).toEqual(['completed', 'failed', 'failed', 'neutral'])
  expect(within(direct).queryByRole('button', { name: 'Send again to D1' })).toBeNull()
  await userEvent.click(within(direct).getByRole('button', { name: 'Send again to D2' }))
  await vi.waitFor(() => expect(lastSent('study/push')).toEqual({ uuid: 's1', destination_id: 'd2' }))
  // of another patient's MRN nothing is sent before there is a reason
  await userEvent.click(within(direct).getByRole('button', { name: 'Send again to D3' }))
  expect(lastSent('study/push')).toMatchObject({ destination_id: 'd2' })
  const dialog = await screen.findByRole('dialog', { hidden: true })
  fireEvent.change(within(dialog).getByRole('textbox', { hidden: true }), { target: { value: 'Renumbered there' } })
  await userEvent.click(within(dialog).getByRole('button', { name: /Send/, hidden: true }))
  await vi.waitFor(() =>
    expect(lastSent('study/push')).toEqual({
      uuid: 's1',
      destination_id: 'd3',
      mrn_reason: 'Renumbered there',
      question: 'q3',
    }),
  )
})

test('says of a reason whose question is no longer the one that waits, and keeps what was typed', async () => {
  const push = {
    destination_uuid: 'd3',
    destination_name: 'D3',
    status: 'F',
    status_reason: 'Not sent. The destination holds another patient.',
    wants_reason: 1,
    question: 'q3',
    updated: '2026-03-02 10:00:00.000000+00',
  } as unknown as ReturnType<typeof makeStudy>['study_push_status'][number]
  const study = makeStudy({ uuid: 's1', permissions: { ...permissions, study_push: 1 }, study_push_status: [push] })
  showSignedIn(<PushReason study={study} push={push} onClose={() => undefined} />, {
    'study/push': { status: 'ERROR', error_type: 'STALE', error_subtype: 'question' },
  })
  const dialog = await screen.findByRole('dialog', { hidden: true })
  const field = within(dialog).getByRole('textbox', { hidden: true })
  fireEvent.change(field, { target: { value: 'Renumbered there' } })
  await userEvent.click(within(dialog).getByRole('button', { name: /Send/, hidden: true }))
  await within(dialog).findByText(/this question is no longer the one that waits\. Nothing was sent/)
  expect(field).toHaveProperty('value', 'Renumbered there')
})

test('[PROCESS-17] an exam whose nomination was rejected is not sent directly, and its panel says what to do', async () => {
  const study = makeStudy({
    uuid: 's1',
    permissions: { ...permissions, study_push: 1 },
    nomination: makeNomination({ state: 'rejected' }),
  })
  const destinations = [{ uuid: 'd1', name: 'PACS', can_push: 1 }]
  showSignedIn(<PacsTab study={study} />, {
    'study/nominate/form': { gatekeepers: [gate] },
    'destination/list': { destinations, page: { more: 0 } },
  })
  const direct = await screen.findByRole('region', { name: 'Send to a PACS directly' })
  within(direct).getByText(/The nomination was rejected, so that the exam is not sent\./)
  expect(within(direct).queryByRole('combobox')).toBeNull()
})
