import type { Link } from '@hilum/contract/calls/link'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeRequest } from '../../../test/make-request.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { showRouted } from '../../../test/routed.tsx'
import type { Replies } from '../../../test/signed-in.tsx'
import { PendingRequestsTab } from './pending-requests-tab.tsx'
import { tabSetOf, visibleTabs } from './tab-sets.ts'

const place = {
  uuid: 'ns',
  type: 'group_id',
  type_uuid: 'g1',
  name: 'Emergency',
  settings: { inbox_config: JSON.stringify({ group_designation: 'CLOUD' }) },
}
const none = { status: 'OK', came_by: [], expecting: [], others: 0 }

function show(reply: unknown, permissions: Record<string, number> = { link_edit: 1 }) {
  const study = makeStudy({ uuid: 's1', phi_namespace: 'ns', permissions: { study_view: 1 } })
  const replies: Replies = {
    'study/requests': reply,
    'user/namespace/list': { namespaces: [{ ...place, permissions }] },
  }
  showRouted(<PendingRequestsTab study={study} />, replies)
}
const list = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  return heading.nextElementSibling as HTMLElement
}

test('[PANEL-02] the tab says by which request the exam came, what differs, and who is still asked', async () => {
  const expecting = makeRequest({ uuid: 'l2', email: 'other@outside.example', arrivals: [] })
  show({ ...none, came_by: [makeRequest()], expecting: [expecting], others: 3 })
  const came = await list('Came by')
  expect(came.textContent).toMatch(/clinic@outside\.example.*MRI of the knee.*Mei Tanaka.*Another patient\?/s)
  const link = within(came).getByRole('link', { name: 'clinic@outside.example' })
  expect(link.getAttribute('href')).toMatch(/\/group\/g1\/Pending%20Requests\?request=l1$/)
  const asked = await list('Still asked for')
  expect(asked.textContent).toContain('other@outside.example')
  expect(asked.textContent).not.toContain('Another patient?')
  expect(screen.getByText(/3 other requests are open/)).toBeTruthy()
})

test('another exam than the expected one is told beside the request', async () => {
  const [arrival] = makeRequest().arrivals
  const other = { verdict: 'same', differences: [], exam_differences: ['date', 'modality', 'description'] }
  show({ ...none, came_by: [makeRequest({ arrivals: [{ ...arrival, ...other }] as Link['arrivals'] })] })
  const came = await list('Came by')
  for (const words of ['Another exam?', 'The date of the exam differs', 'The modality differs', 'no word in common'])
    expect(came.textContent).toContain(words)
  expect(came.textContent).not.toContain('Another patient?')
})

test('an exam that no request concerns says so', async () => {
  show(none)
  expect(await screen.findByText('No request brought this exam here.')).toBeTruthy()
  expect(screen.getByText('No open request names this patient.')).toBeTruthy()
})

test('requests that cannot be read are told, with Try again', async () => {
  show(500)
  expect(await screen.findByText('The requests could not be read.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

test('a cancelled request leads to those that ended', async () => {
  const ended = { state: 'ended', ended_at: '2026-03-04 12:00:00.000000+00' } as const
  show({ ...none, came_by: [makeRequest(ended)] })
  const came = await list('Came by')
  expect(within(came).getByRole('link').getAttribute('href')).toMatch(/\?request=l1&requests=ended$/)
  expect(came.textContent).toContain('Cancelled')
})

test('[PERM-08][PANEL-04][PANEL-05] the tab stands in library and cloud groups, for who may ask for studies', () => {
  for (const group of ['CLOUD', 'LIBRARY'] as const) {
    // a study carries the rights that begin with study_ alone
    const study = { source: 'upload', permissions: { study_view: 1 } } as const
    for (const flag of ['link_edit', 'link_edit_upload'])
      expect(visibleTabs(group, study, { [flag]: 1 })).toContain('pendingRequests')
    expect(visibleTabs(group, study, { study_view: 1 })).not.toContain('pendingRequests')
  }
  expect(tabSetOf('GATEKEEPER', { source: 'upload' })).not.toContain('pendingRequests')
})
