import { stuckCodes } from '@hilum/contract/calls/account'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { useInstallationNotices } from '../../queries/installation-notices.ts'
import { AccountWork } from './account-work.tsx'

afterEach(() => vi.unstubAllGlobals())

const work = (uuid: string, given: object = {}) => ({
  uuid,
  job: 'wrap-attachment',
  state: 'waiting',
  is_stuck: 0,
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
/** The two lists of the page: jobs that are stuck, and the others. */
const listed =
  (jobs: () => readonly { is_stuck: number }[], page: object = {}) =>
  (sent: Record<string, unknown>) => {
    const found = jobs().filter((one) => one.is_stuck === sent['filter.is_stuck.equals'])
    return { work: found, page: { more: 0, rows: 10, number: 1, total: found.length, ...page } }
  }
const noJobs = listed(() => [])
const show = (replies: Replies, permissions = { account_edit: 1 }) =>
  showSignedIn(<AccountWork />, { 'account/stuck': { stuck: [] }, ...replies }, {}, permissions)
const fact = (code: string, given: object = {}) => ({
  code,
  since: null,
  name: '',
  count: 1,
  free_bytes: 3_200_000_000,
  total_bytes: 120_000_000_000,
  certificate_ends: '2031-05-03 08:00:00.000000+00',
  destination_id: '',
  rule_id: '',
  place_name: '',
  ...given,
})
const rows = async () => (await screen.findAllByRole('row')).slice(1)

test('says of each job what it is, for whom, how it stands, why, and since when', async () => {
  show({
    'job/list': listed(() => [
      work('waits'),
      work('planned', { run_at: '2999-01-01 08:00:00.000000+00', job: 'send-later', user_name: '' }),
      work('again', { tries: 1, error: 'REFUSED', message: 'The destination refused' }),
      work('runs', { state: 'running', tries: 1 }),
      work('stuck', { state: 'failed', tries: 3, error: 'REFUSED', message: '' }),
      work('over', { state: 'cancelled' }),
    ]),
  })
  const texts = (await rows()).map((row) => row.textContent)
  expect(texts[0]).toMatch(/^Making images of an attachmentNils BrandtWaits for its turn.*2026/)
  expect(texts[1]).toMatch(/^send-laterthe server itselfPlanned for .*2999/)
  expect(texts[2]).toMatch(/Waits for its next tryThe destination refused/)
  expect(texts[3]).toMatch(/Running/)
  expect(texts[4]).toMatch(/Given upREFUSED3 tries/)
  expect(texts[5]).toMatch(/Cancelled/)
  const acts = (await rows()).map((row) => within(row).getByRole('button').getAttribute('aria-label'))
  expect(acts.map((name) => /^Cancel|^Try again/.exec(name ?? '')?.[0])).toEqual([
    ...Array.from({ length: 4 }, () => 'Cancel'),
    'Try again',
    'Try again',
  ])
  expect(lastSent('job/list')).toMatchObject({ account_id: 'a', sort_by: 'since-desc' })
})

test('has a job done once more and cancels one, and reads the list anew', async () => {
  let state = 'failed'
  show({
    'job/list': listed(() => [work('one', { state })]),
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

test('tells rules of one name apart by their places', async () => {
  const rule = (rule_id: string, place_name: string) =>
    fact('RULE_FAILS', { name: 'To the archive', rule_id, place_name })
  show({ 'job/list': noJobs, 'account/stuck': { stuck: [rule('r', 'Ward A'), rule('s', 'Ward B')] } })
  expect(await screen.findByText('The routing rule To the archive of Ward A failed on 1 exam')).toBeDefined()
  expect(screen.getByText('The routing rule To the archive of Ward B failed on 1 exam')).toBeDefined()
})

test('has failed work by the clock run at once, and dismisses failed pushes of one destination', async () => {
  let facts = [
    fact('CLOCK_WORK_FAILED', { name: 'purge' }),
    fact('PUSHES_FAILED', { name: 'PACS', destination_id: 'd', count: 2 }),
    fact('PUSHES_FAILED', { name: 'PACS', destination_id: 'e' }),
  ]
  show({
    'job/list': noJobs,
    'account/stuck': () => ({ stuck: facts }),
    'account/stuck/retry': {},
    'account/stuck/dismiss': () => {
      facts = facts.filter((one) => one.destination_id !== 'd')
      return {}
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Try again: / }))
  expect(await screen.findByText(/^It begins within seconds/)).toBeDefined()
  expect(lastSent('account/stuck/retry')).toMatchObject({ account_id: 'a', job: 'purge' })
  await userEvent.click(screen.getAllByRole('button', { name: 'Dismiss: PACS' })[0] as HTMLElement)
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Dismiss: PACS' })).toHaveLength(1))
  expect(lastSent('account/stuck/dismiss')).toMatchObject({ account_id: 'a', destination_id: 'd' })
})

const failingRule = (rule_id: string, count: number) =>
  fact('RULE_FAILS', { name: 'To the archive', rule_id, place_name: `Ward ${rule_id}`, count })
const mayEditRules = { account_edit: 1, route_edit: 1 }

test('runs a rule again on all exams on which it failed, once somebody said so, and says on how many', async () => {
  let facts = [failingRule('r', 5)]
  show(
    {
      'job/list': noJobs,
      'account/stuck': () => ({ stuck: facts }),
      'route/runs/again': () => {
        facts = []
        return { again: 4, not_again: 1, left: 0, last_run_id: 'run5' }
      },
    },
    mayEditRules,
  )
  const open = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Run again: To the archive of Ward r' }))
  await open()
  const dialog = await screen.findByRole('dialog', { name: 'Run the rule “To the archive” again?' })
  expect(dialog.textContent).toContain('on the 5 exams on which it failed')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(lastSent('route/runs/again')).toBeUndefined()
  await open()
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }))
  const banner = await screen.findByText(/^To the archive runs again on 4 exams\. On 1 exam it does not/)
  expect(lastSent('route/runs/again')).toMatchObject({ uuid: 'r' })
  await screen.findByText('Nothing is stuck.')
  expect(banner.isConnected).toBe(true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('says on how many exams a rule was not looked at, and goes on behind the last one; the notices are asked anew', async () => {
  const outcomes = [
    { again: 0, not_again: 1000, left: 2, last_run_id: 'run1000' },
    { again: 2, not_again: 0, left: 0, last_run_id: 'run1002' },
  ]
  const Notices = () => useInstallationNotices().map(({ code }) => code)
  const page = (
    <>
      <Notices />
      <AccountWork />
    </>
  )
  const replies = {
    'job/list': noJobs,
    'account/notices': { notices: [] },
    'account/stuck': { stuck: [failingRule('r', 1002)] },
    'route/runs/again': () => outcomes.shift() ?? {},
  }
  showSignedIn(page, replies, {}, mayEditRules)
  const notices = () => sentCalls.filter(({ path }) => path === 'account/notices').length
  const runAgain = async () => {
    await userEvent.click(await screen.findByRole('button', { name: /^Run again: / }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }))
  }
  await waitFor(() => expect(notices()).toBe(1))
  await runAgain()
  await screen.findByText(
    /On 1,000 exams it does not.* 2 more exams were not looked at yet: choose Run again once more/,
  )
  expect(lastSent('route/runs/again')).not.toHaveProperty('after_run_id')
  await waitFor(() => expect(notices()).toBe(2))
  await runAgain()
  await screen.findByText(/^To the archive runs again on 2 exams\.$/)
  expect(lastSent('route/runs/again')).toMatchObject({ uuid: 'r', after_run_id: 'run1000' })
})

test('says that a rule could not be run again, and offers that to nobody who may not edit rules', async () => {
  show({ 'job/list': noJobs, 'account/stuck': { stuck: [failingRule('r', 1)] }, 'route/runs/again': 500 }, mayEditRules)
  await userEvent.click(await screen.findByRole('button', { name: /^Run again: / }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }))
  await screen.findByText(/^The rule could not be run again on all exams/)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('dismisses what failed of one rule, also for whoever may not edit rules', async () => {
  let facts = [failingRule('r', 5), failingRule('s', 1)]
  show({
    'job/list': noJobs,
    'account/stuck': () => ({ stuck: facts }),
    'account/stuck/dismiss': () => {
      facts = facts.slice(1)
      return {}
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss: To the archive of Ward r' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss: To the archive of Ward r' })).toBeNull())
  expect(lastSent('account/stuck/dismiss')).toEqual(expect.objectContaining({ account_id: 'a', rule_id: 'r' }))
  expect(lastSent('account/stuck/dismiss')).not.toHaveProperty('destination_id')
  expect(screen.getByRole('button', { name: 'Dismiss: To the archive of Ward s' })).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Run again/ })).toBeNull()
})

test('says that a fact was gone before it could be acted on', async () => {
  show({
    'job/list': noJobs,
    'account/stuck': { stuck: [fact('CLOCK_WORK_FAILED', { name: 'purge' })] },
    'account/stuck/retry': 404,
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Try again: / }))
  expect(await screen.findByText(/^That could not be done: somebody/)).toBeDefined()
})

test('says that a job had ended before it could be cancelled', async () => {
  show({ 'job/list': listed(() => [work('one')]), 'job/cancel': 404 })
  await userEvent.click(await screen.findByRole('button', { name: /^Cancel/ }))
  expect(await screen.findByText('That could not be done: the job may have ended meanwhile.')).toBeDefined()
})

test('says that nothing is stuck, and only once everything could be read', async () => {
  let [isWithoutFacts, isWithoutJobs] = [true, true]
  const oneWaits = listed(() => [work('waits')])
  show({
    'job/list': (sent: Record<string, unknown>) => (isWithoutJobs ? 500 : oneWaits(sent)),
    'account/stuck': () => (isWithoutFacts ? 500 : { stuck: [] }),
  })
  const again = async (words: string) => {
    const banner = (await screen.findByText(words)).closest('[role="alert"]')
    await userEvent.click(within(banner as HTMLElement).getByRole('button', { name: 'Try again' }))
  }
  isWithoutFacts = false
  await again('The state of the installation could not be loaded.')
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(1))
  expect(screen.queryByText('Nothing is stuck.')).toBeNull()
  isWithoutJobs = false
  await again('The jobs could not be loaded.')
  expect(await screen.findByRole('grid', { name: 'Other jobs' })).toBeDefined()
  await screen.findByText('Nothing is stuck.')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('stuck jobs stand before the others', async () => {
  show({
    'job/list': listed(() => [
      work('given up', { state: 'failed', is_stuck: 1, error: 'REFUSED' }),
      work('waits'),
      work('runs'),
    ]),
  })
  const count = async (name: string) => within(await screen.findByRole('grid', { name })).getAllByRole('row').length - 1
  expect([await count('Stuck jobs'), await count('Other jobs')]).toEqual([1, 2])
  expect(screen.queryByText('Nothing is stuck.')).toBeNull()
})

test('jobs are shown page by page, in the order that was chosen, and rows per page are kept', async () => {
  show({ 'job/list': listed(() => [work('one')], { more: 1, total: 40 }), 'setting/set': {} })
  const sorted = within(await screen.findByRole('grid', { name: 'Other jobs' }))
  expect(screen.queryByRole('grid', { name: 'Stuck jobs' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(lastSent('job/list')).toMatchObject({ 'page.number': 2, 'filter.is_stuck.equals': 0 }))
  await userEvent.click(sorted.getByRole('button', { name: 'State' }))
  await waitFor(() => expect(lastSent('job/list')).toMatchObject({ 'page.number': 1, sort_by: 'state-asc' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50')
  await waitFor(() => expect(lastSent('job/list')).toMatchObject({ 'page.rows': 50 }))
  await waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'other_jobs_rows_to_display', value: '50' }))
})

test.each(stuckCodes)('says of %s in plain words what it is and what to do', async (code) => {
  show({ 'job/list': noJobs, 'account/stuck': { stuck: [fact(code, { name: 'seal-audit', count: 2 })] } })
  const item = await screen.findByRole('listitem')
  const [title, advice] = [...item.querySelectorAll('strong, span')].map((one) => one.textContent ?? '')
  expect(title?.length).toBeGreaterThan(10)
  expect(advice).toMatch(/\.$/)
  expect(item.textContent).not.toMatch(/[{}]|stuck\./)
  expect(
    within(item).getByRole(
      ['DISK_LOW', 'CERTIFICATE_ENDS', 'DESTINATION_CERTIFICATE_ENDS'].includes(code) ? 'status' : 'alert',
    ),
  ).toBeDefined()
  expect(screen.queryByText('Nothing is stuck.')).toBeNull()
})

test('names job, destination, end and since when', async () => {
  const since = '2026-01-02 09:30:00.000000+00'
  show({
    'job/list': noJobs,
    'account/stuck': {
      stuck: [
        fact('CERTIFICATE_ENDS_NOW'),
        fact('CLOCK_WORK_FAILED', { name: 'seal-audit', since }),
        fact('PUSHES_FAILED', { name: 'North PACS', count: 3, since }),
        fact('MAILS_NOT_SENT', { since }),
      ],
    },
  })
  const texts = (await screen.findAllByRole('listitem')).map((item) => item.textContent)
  expect(texts[0]).toMatch(/ends on .*2031/)
  expect(texts[1]).toMatch(/failed: Sealing the audit recordLast failed .*2026/)
  expect(texts[2]).toMatch(/3 exams could not be sent to North PACSThe first .*2026/)
  expect(texts[3]).toMatch(/^1 mail could not be sentSince .*2026/)
})

test('asks nothing for those who may not see it', async () => {
  showSignedIn(<AccountWork />, {}, {}, { account_user_view: 1 })
  await screen.findByText('Only administrators may open this page.')
  expect(lastSent('job/list')).toBeUndefined()
  expect(lastSent('account/stuck')).toBeUndefined()
})
