import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearDrafts } from '../../state/drafts.ts'
import { ShareMany, ShareTab } from './share-tab.tsx'

const both = { study_share: 1, study_share_user: 1, study_share_group: 1 }
const people = [
  { uuid: 'p1', name: 'Sofia Lindqvist', user_email: 'sofia@hospital.example' },
  { uuid: 'p2', name: 'Tomasz Nowak', user_email: 'tomasz@hospital.example' },
]
const groups = [{ uuid: 'g1', name: 'Library', user_email: '' }]
const locations = [{ uuid: 'l1', name: 'Harbour site', user_email: '' }]
const who = ({ type, search }: Record<string, unknown>) => {
  const all = { user: people, group: groups, location: locations }[String(type)] ?? []
  const found = all.filter(({ name }) => name.toLowerCase().includes(String(search).toLowerCase()))
  return { shares: found, page: { more: 0 } }
}
const access = { owner: { kind: 'group', name: 'Emergency' }, received: [], has_copy: false, shares: [] as object[] }
const sofia = {
  kind: 'user',
  ...people[0],
  state: 'delivered',
  failure: null,
  message: 'Please look',
  by_name: 'Mei Tanaka',
  created: '2026-03-04 10:00:00.000000+00',
  run_at: null,
  expires_at: '2026-03-11 10:00:00.000000+00',
  expires: 10080,
  has_copy: false,
  late_image_count: 0,
}
const ok = { status: 'OK' }

function show(replies: Replies = {}, more: Parameters<typeof makeStudy>[0] = {}) {
  const study = makeStudy({ uuid: 's1', patient_name: 'DOE^JANE', permissions: both, ...more })
  showSignedIn(<ShareTab study={study} />, {
    'study/share/access': access,
    'study/share/who': who,
    'study/share': ok,
    'study/share/stop': ok,
    ...replies,
  })
}
const shareSent = () => sentCalls.filter(({ path }) => path === 'study/share').map(({ sent }) => sent)
const choose = async (list: string, typed: string, name: string) => {
  await userEvent.type(screen.getByRole('combobox', { name: list }), typed)
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }))
}
const button = () => screen.getByRole('button', { name: /^Share (exam|\d+ exams)$/ })

afterEach(() => act(clearDrafts))

test('images that came after an exam was shared are counted for whoever shared it, and for whoever has it', async () => {
  const received = {
    by_name: 'Jonas Weber',
    from_name: 'Neuro',
    from_account: '',
    message: '',
    awaits_approval: false,
    delivered_at: sofia.created,
    expires_at: null,
    late_image_count: 1,
  }
  const shares = [
    { ...sofia, late_image_count: 12 },
    { ...sofia, uuid: 'other', name: 'Ben Oduya' },
  ]
  show({ 'study/share/access': { ...access, received: [received], shares } })
  expect(await screen.findByText('12 images since shared')).toBeDefined()
  expect(screen.getByText(/Jonas Weber.* · 1 image since shared$/)).toBeDefined()
  expect(screen.getAllByText(/since shared/)).toHaveLength(2)
})

test('[SHARE-01][SHARE-02] is disabled until a person or a group is chosen, and shares with all of them', async () => {
  show()
  expect(await screen.findByText('Emergency')).toBeDefined()
  expect(screen.getByText(/^Nobody yet/)).toBeDefined()
  expect(button()).toHaveProperty('disabled', true)
  await choose('People', 'lind', 'Sofia Lindqvist')
  expect(button()).toHaveProperty('disabled', false)
  await userEvent.click(screen.getByRole('button', { name: 'Leave Sofia Lindqvist out' }))
  expect(button()).toHaveProperty('disabled', true)
  await choose('People', 'lind', 'Sofia Lindqvist')
  await choose('Groups', 'lib', 'Library')
  await userEvent.click(button())
  expect(await screen.findByText('Shared with 2 recipients.')).toBeDefined()
  expect(shareSent()).toEqual([
    { uuid: 's1', user_id: 'p1' },
    { uuid: 's1', group_id: 'g1' },
  ])
})

test('[SHARE-03] sends the message trimmed, and none where nothing is said', async () => {
  show()
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), '  Please look  ')
  await choose('People', 'nowak', 'Tomasz Nowak')
  await userEvent.click(button())
  await screen.findByText('Shared with 1 recipient.')
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), '   ')
  await choose('People', 'lind', 'Sofia Lindqvist')
  await userEvent.click(button())
  await waitFor(() => expect(shareSent()).toHaveLength(2))
  expect(shareSent()).toEqual([
    { uuid: 's1', user_id: 'p2', message: 'Please look' },
    { uuid: 's1', user_id: 'p1' },
  ])
})

test('shares later and for a time, as chosen', async () => {
  show()
  await choose('Groups', 'lib', 'Library')
  await userEvent.selectOptions(screen.getByLabelText('Access begins'), 'In 3 minutes')
  await userEvent.selectOptions(screen.getByLabelText('Access ends'), 'After 7 days')
  await userEvent.click(button())
  expect(await screen.findByText('It will be shared with 1 recipient in 3 minutes.')).toBeDefined()
  expect(shareSent()).toEqual([{ uuid: 's1', group_id: 'g1', delay: 180, expires: 10080 }])
})

test('[SHARE-05] says that sharing failed where one of them was refused, with whom and why, and keeps that one chosen', async () => {
  show({
    'study/share': ({ user_id: id }: Record<string, unknown>) =>
      id === 'p1'
        ? {
            error_type: 'SHARE_FAILED',
            error_subtype: 'OTHER_PATIENT',
            error_data: { reasons: ['name-different', 'birth-date-different'] },
          }
        : ok,
  })
  await choose('People', 'lind', 'Sofia Lindqvist')
  await choose('People', 'nowak', 'Tomasz Nowak')
  await userEvent.click(button())
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText(/Failed to share exam\./)).toBeDefined()
  expect(alert.textContent).toContain('Sofia Lindqvist: There the same exam is of another patient (different name')
  expect(alert.textContent).toContain('Shared with 1 recipient.')
  expect(screen.getByRole('button', { name: 'Leave Sofia Lindqvist out' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Leave Tomasz Nowak out' })).toBeNull()
})

test('[SHARE-05] tries again with those who were refused, in the same words, and not with nobody', async () => {
  let isRefused = true
  show({ 'study/share': () => (isRefused ? { error_type: 'SHARE_FAILED', error_subtype: 'NO_DESTINATION' } : ok) })
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Please look')
  await choose('People', 'lind', 'Sofia Lindqvist')
  await userEvent.click(button())
  const again = await screen.findByRole('button', { name: 'Try again' })
  await userEvent.click(screen.getByRole('button', { name: 'Leave Sofia Lindqvist out' }))
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  await choose('People', 'lind', 'Sofia Lindqvist')
  isRefused = false
  expect(again.isConnected).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Shared with 1 recipient.')
  const sent = { uuid: 's1', user_id: 'p1', message: 'Please look' }
  expect(shareSent()).toEqual([sent, sent])
})

test('tries again when no answer came', async () => {
  let isBroken = true
  show({ 'study/share': () => (isBroken ? 500 : ok) })
  await choose('Groups', 'lib', 'Library')
  await userEvent.click(button())
  await screen.findByRole('alert')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Shared with 1 recipient.')).toBeDefined()
})

test('says beside a field that a name was typed and not chosen, and shares with nobody until it is', async () => {
  show()
  await choose('Groups', 'lib', 'Library')
  const input = screen.getByRole('combobox', { name: 'People' })
  await userEvent.type(input, 'Sofia')
  expect(screen.queryByText('Choose from the list.')).toBeNull()
  await userEvent.click(button())
  expect(screen.getByText('Choose from the list.')).toBeDefined()
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(input)
  expect(shareSent()).toEqual([])
  await userEvent.clear(input)
  await choose('People', 'lind', 'Sofia Lindqvist')
  expect(screen.queryByText('Choose from the list.')).toBeNull()
  await userEvent.click(button())
  await screen.findByText('Shared with 2 recipients.')
})

test('[SHARE-04] stops a share, and Undo brings it back as it was', async () => {
  let shares: object[] = [sofia]
  show({
    'study/share/access': () => ({ ...access, shares }),
    'study/share/stop': () => {
      shares = []
      return ok
    },
  })
  const list = await screen.findByRole('list', { name: 'People with access' })
  expect(list.textContent).toContain('Please look')
  expect(list.textContent).toMatch(/Access ends on/)
  await userEvent.click(screen.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' }))
  expect(await screen.findByText('Sharing with Sofia Lindqvist was stopped. It is gone there.')).toBeDefined()
  expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', user_id: 'p1' })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', user_id: 'p1', restore: 1 }))
})

test('[SHARE-04][PERM-13] offers to stop a share to those alone who may share with recipients of that kind', async () => {
  const library = { ...sofia, kind: 'group', ...groups[0] }
  const site = { ...sofia, kind: 'location', ...locations[0] }
  const shares = [sofia, library, site]
  for (const [kind, name] of [
    ['user', 'Sofia Lindqvist'],
    ['group', 'Library'],
    ['location', 'Harbour site'],
  ] as const) {
    show(
      { 'study/share/access': { ...access, shares } },
      { permissions: { study_share: 1, [`study_share_${kind}`]: 1 } },
    )
    await screen.findByRole('list', { name: 'People with access' })
    const stops = screen.getAllByRole('button', { name: /^Stop sharing/ })
    expect(stops.map((one) => one.getAttribute('aria-label'))).toEqual([`Stop sharing with ${name}`])
    cleanup()
  }
})

test('[SHARE-04] a share that somebody else stopped a moment before counts as stopped, a study that is gone does not', async () => {
  let gone: object = { error_type: 'NOT_FOUND', error_subtype: 'user_id' }
  show({ 'study/share/access': { ...access, shares: [sofia] }, 'study/share/stop': () => gone })
  const stop = () => userEvent.click(screen.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' }))
  await screen.findByRole('list', { name: 'People with access' })
  await stop()
  expect(await screen.findByText('Sharing with Sofia Lindqvist was stopped. It is gone there.')).toBeDefined()
  gone = { error_type: 'NOT_FOUND' }
  await stop()
  expect(await screen.findByText('Sharing with Sofia Lindqvist could not be stopped.')).toBeDefined()
})

test('says what became of a delayed share that failed, and tries again in the same way', async () => {
  show({ 'study/share/access': { ...access, shares: [{ ...sofia, state: 'failed', failure: 'NOT_PERMITTED' }] } })
  expect(await screen.findByText(/^Not shared: whoever wanted it/)).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Stop sharing/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Try again to share with Sofia Lindqvist' }))
  await waitFor(() => expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', user_id: 'p1', restore: 1 }))
  expect(shareSent()).toEqual([])
})

test('tries a failed share by a code again for whoever sends by codes, without the right to share with groups', async () => {
  const byCode = { ...sofia, kind: 'group', uuid: 'g9', name: 'Reading Room', by_code: 1, state: 'failed' }
  const shares = [{ ...byCode, failure: 'NO_DESTINATION' }]
  show({ 'study/share/access': { ...access, shares } }, { permissions: { study_share: 1, study_share_share_code: 1 } })
  await userEvent.click(await screen.findByRole('button', { name: 'Try again to share with Reading Room' }))
  await waitFor(() => expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', group_id: 'g9', restore: 1 }))
})

test('[PERM-13] offers people, groups, or neither, as the role permits', async () => {
  show({}, { permissions: { study_share: 1, study_share_group: 1 } })
  expect(screen.queryByRole('combobox', { name: 'People' })).toBeNull()
  expect(screen.getByRole('combobox', { name: 'Groups' })).toBeDefined()
})

test('[PERM-13] says that the content is not permitted where neither is', () => {
  show({}, { permissions: { study_share: 1 } })
  expect(screen.getByText('Content is not permitted')).toBeDefined()
})

test('a list of access that could not be loaded is asked for again', async () => {
  let isBroken = true
  show({ 'study/share/access': () => (isBroken ? 500 : access) })
  await screen.findByText('It could not be looked up who has access.')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Emergency')).toBeDefined()
})

test('[SHARE-01] shares with locations as well, where there are any and the role permits', async () => {
  show({}, { permissions: { ...both, study_share_location: 1 } })
  await screen.findByRole('combobox', { name: 'Locations' })
  await choose('Locations', 'harb', 'Harbour site')
  await userEvent.click(button())
  expect(await screen.findByText('Shared with 1 recipient.')).toBeDefined()
  expect(shareSent()).toEqual([{ uuid: 's1', location_id: 'l1' }])
})

test('locations are offered neither without the right nor where there are none', async () => {
  show()
  expect(await screen.findByText('Emergency')).toBeDefined()
  expect(screen.queryByRole('combobox', { name: 'Locations' })).toBeNull()
  expect(sentCalls.filter(({ path }) => path === 'study/share/who')).toEqual([])
  cleanup()
  const none = { shares: [], page: { more: 0 } }
  show({ 'study/share/who': none }, { permissions: { ...both, study_share_location: 1 } })
  await waitFor(() => expect(sentCalls.some(({ path }) => path === 'study/share/who')).toBe(true))
  expect(await screen.findByText('Emergency')).toBeDefined()
  expect(await screen.findByRole('combobox', { name: 'People' })).toBeDefined()
  expect(screen.queryByRole('combobox', { name: 'Locations' })).toBeNull()
})

test('whoever may share with locations alone does so, and is told where there are none', async () => {
  const permissions = { study_share: 1, study_share_location: 1 }
  show({}, { permissions })
  await screen.findByRole('combobox', { name: 'Locations' })
  expect(screen.queryByRole('combobox', { name: 'People' })).toBeNull()
  await choose('Locations', 'harb', 'Harbour site')
  await userEvent.click(button())
  expect(await screen.findByText('Shared with 1 recipient.')).toBeDefined()
  cleanup()
  show({ 'study/share/who': { shares: [], page: { more: 0 } } }, { permissions })
  expect(await screen.findByText('You may share with locations, and your organisation has none.')).toBeDefined()
  expect(screen.queryByRole('form', { name: 'Share' })).toBeNull()
})

test('the fields of the form come together, and none moves because locations came later', async () => {
  const shown = new Set<string>()
  const watch = new MutationObserver(() => {
    const labels = screen.queryAllByRole('combobox').map((one) => one.getAttribute('name'))
    if (labels.includes('user')) shown.add(labels.filter((one) => one !== null).join(' '))
  })
  watch.observe(document.body, { childList: true, subtree: true })
  show({}, { permissions: { ...both, study_share_location: 1 } })
  await screen.findByRole('combobox', { name: 'Locations' })
  watch.disconnect()
  expect([...shown]).toEqual(['user group location'])
})

test('a name that nobody has is answered so, and Enter sends nothing', async () => {
  show()
  const input = screen.getByRole('combobox', { name: 'People' })
  await userEvent.type(input, 'zzz')
  expect(await screen.findByText('Nobody here is called like that.')).toBeDefined()
  await userEvent.type(input, '{Enter}')
  expect(shareSent()).toEqual([])
})

test('[PANEL-06][PERM-01] shares several studies at once, each with each recipient', async () => {
  const studies = ['s1', 's2'].map((uuid) => makeStudy({ uuid, permissions: both }))
  showSignedIn(<ShareMany studies={studies} />, {
    'study/share/who': who,
    'study/share': ok,
    'study/share/access': access,
  })
  await choose('Groups', 'lib', 'Library')
  await userEvent.click(button())
  await screen.findByText('Shared with 1 recipient.')
  expect(shareSent()).toEqual([
    { uuid: 's1', group_id: 'g1' },
    { uuid: 's2', group_id: 'g1' },
  ])
})

test('[SHARE-01] says of recipients how many of several exams they have already, and again after sharing', async () => {
  const studies = ['s1', 's2', 's3'].map((uuid) => makeStudy({ uuid, permissions: both }))
  const tomasz = { ...sofia, ...people[1], state: 'failed' }
  const library = { ...sofia, kind: 'group', ...groups[0] }
  const having: Record<string, object[]> = { s1: [sofia, library, tomasz], s2: [library], s3: [library] }
  showSignedIn(<ShareMany studies={studies} />, {
    'study/share/who': who,
    'study/share': ok,
    'study/share/access': ({ uuid }: Record<string, unknown>) => ({ ...access, shares: having[String(uuid)] }),
  })
  const option = async (list: string, name: RegExp) => {
    await userEvent.click(screen.getByRole('combobox', { name: list }))
    return screen.findByRole('option', { name })
  }
  await option('Groups', /Library.*has access to all 3$/)
  await option('People', /Sofia.*has access to 1 of 3$/)
  // what failed gave nothing
  expect(screen.getByRole('option', { name: /Tomasz/ }).textContent).not.toContain('has access')
  having['s2'] = [sofia, library]
  await choose('Groups', 'lib', 'Library')
  await userEvent.click(button())
  await screen.findByText('Shared with 1 recipient.')
  await option('People', /Sofia.*has access to 2 of 3$/)
})

test('says of nobody how many of several exams they have where one could not be looked up', async () => {
  const studies = ['s1', 's2'].map((uuid) => makeStudy({ uuid, permissions: both }))
  showSignedIn(<ShareMany studies={studies} />, {
    'study/share/who': who,
    'study/share/access': ({ uuid }: Record<string, unknown>) =>
      uuid === 's2' ? { error_type: 'NOT_FOUND' } : { ...access, shares: [sofia] },
  })
  await waitFor(() => expect(sentCalls.filter(({ path }) => path === 'study/share/access')).toHaveLength(2))
  await userEvent.click(screen.getByRole('combobox', { name: 'People' }))
  expect((await screen.findByRole('option', { name: /Sofia/ })).textContent).not.toContain('has access')
})

test('gives nothing away while copies without names stand among other exams, and says why', async () => {
  const studies = [0, 1].map((is_deidentified) =>
    makeStudy({ uuid: `s${is_deidentified}`, is_deidentified, permissions: { ...both, link_edit: 1 } }),
  )
  showSignedIn(<ShareMany studies={studies} />, {
    'study/share/who': who,
    'study/share': ok,
    'study/share/access': access,
  })
  expect(await screen.findByText(/^Some of these exams are copies without names/)).toBeDefined()
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(screen.getAllByRole('row')).toHaveLength(3)
})

test('names each of several exams by patient, MRN, exam and date, also where sharing it failed', async () => {
  const exam = { patient_name: 'DOE^JANE', study_description: 'CT chest', permissions: both }
  const studies = [
    makeStudy({ ...exam, uuid: 's1', patientid: 'M-1', study_date: '20260302' }),
    makeStudy({ ...exam, uuid: 's2', patientid: 'M-2', study_date: '20250221' }),
  ]
  showSignedIn(<ShareMany studies={studies} />, {
    'study/share/who': who,
    'study/share/access': access,
    'study/share': ({ uuid }: Record<string, unknown>) => (uuid === 's2' ? { error_type: 'PHANTOM' } : ok),
  })
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows).toEqual([
    expect.anything(),
    expect.stringMatching(/M-1.*03-02-2026/),
    expect.stringMatching(/M-2.*02-21-2025/),
  ])
  await choose('Groups', 'lib', 'Library')
  await userEvent.click(button())
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('DOE, JANE, M-2, CT chest, 02-21-2025 with Library: No image has arrived yet.')
})

test('asks to look at the patients before an exam leaves whose images name several, and says so with the share', async () => {
  show({}, { mixed_patients: 1 })
  await choose('People', 'lind', 'Sofia Lindqvist')
  await userEvent.click(button())
  expect(await screen.findByText('Look at the patients that the images name before the exam leaves.')).toBeDefined()
  expect(shareSent()).toEqual([])
  const tick = screen.getByRole('checkbox', { name: 'I have looked at the patients: the exam may go as it is' })
  expect(document.activeElement).toBe(tick)
  await userEvent.click(tick)
  await userEvent.click(button())
  expect(await screen.findByText('Shared with 1 recipient.')).toBeDefined()
  expect(shareSent()).toEqual([{ uuid: 's1', user_id: 'p1', mixed_patients: 1 }])
})

test('says what is missing where the images name several patients since the form was opened', async () => {
  show({ 'study/share': { error_type: 'NOT_READY', error_subtype: 'mixed_patients' } })
  await choose('People', 'lind', 'Sofia Lindqvist')
  await userEvent.click(button())
  expect(await screen.findByText(/The images name several patients\. Look at them/)).toBeDefined()
})

test('asks before another exam or page throws away whom somebody chose, and not once it is shared', async () => {
  const study = makeStudy({ uuid: 's1', patient_name: 'DOE^JANE', permissions: both })
  const replies = { 'study/share/access': access, 'study/share/who': who, 'study/share': ok, 'study/share/stop': ok }
  const { go, leave, address } = showRouted(<ShareTab study={study} />, replies)
  await screen.findByRole('combobox', { name: 'People' })
  await choose('People', 'lind', 'Sofia Lindqvist')
  act(() => go('/?study=s2'))
  await screen.findByText(/^Nothing was shared yet/)
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(address()).not.toContain('s2')
  act(() => leave())
  await screen.findByText(/^Nothing was shared yet/)
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  await userEvent.click(button())
  await screen.findByText('Shared with 1 recipient.')
  act(() => leave())
  await screen.findByText('Elsewhere')
})

test('says of people who have access already that they do, and until when, and counts those alone who got it', async () => {
  const share = {
    uuid: 'h1',
    is_new: 0,
    changed: ['message'],
    left_out: [],
    run_at: null,
    expires_at: sofia.expires_at,
  }
  show({ 'study/share': ({ user_id: to }: Record<string, unknown>) => (to === 'p1' ? { ...ok, share } : ok) })
  await choose('People', 'sof', 'Sofia')
  await choose('People', 'tom', 'Tomasz')
  await userEvent.click(button())
  expect(await screen.findByText('Shared with 1 recipient.')).toBeDefined()
  const told = screen.getByText(/^Sofia Lindqvist has it already\. Access ends .*2026/)
  expect(told.textContent).toContain('The new message stands in the place of the former one.')
})
