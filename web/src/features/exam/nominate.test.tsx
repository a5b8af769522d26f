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

const why = {
  uuid: 'f1',
  name: 'why',
  type: 'text',
  value: '',
  required: 1,
  options: { field_label: 'Why' },
  ui_json: {},
}
const gate = { uuid: 'g1', name: 'Gateway', customfields: [why], missing_fields: 0 }
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
  ['queued', 'status', /Queued to be sent to PACS · /],
  ['completed', 'status', /Sent to PACS · /],
  ['rejected', 'status', /Rejected by Gateway · .*Reason: No indicationAsk again/],
  ['failed', 'alert', /Failed to send exam to PACS\..*answered A700/],
] as const)(
  '[NOMINATE-08][NOMINATE-09][NOMINATE-10][NOMINATE-11] a nomination that is %s',
  async (state, role, words) => {
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
    expect(screen.queryByRole('button', { name: 'Cancel nomination' }) !== null).toBe(state === 'rejected')
    if (state !== 'failed') return
    await userEvent.click(await button('Retry'))
    await vi.waitFor(() =>
      expect(lastSent('study/share')).toEqual({ uuid: 's1', group_id: 'g1', 'customfield-f1': 'Surgery' }),
    )
  },
)

test('[CONST-07] a field takes 1 to 12 columns of its block', () => {
  const of = (ui_json: unknown) => columnsOf({ ui_json })
  expect([of({ grid_columns: 4 }), of('{"grid_columns":"6"}'), of({ grid_columns: 13 }), of(null)]).toEqual([
    4, 6, 12, 12,
  ])
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
    'destination/list': { destinations },
  })
  const direct = await screen.findByRole('region', { name: 'Send to a PACS directly' })
  within(direct).getByText(/The nomination was rejected, so that the exam is not sent\./)
  expect(within(direct).queryByRole('combobox')).toBeNull()
})
