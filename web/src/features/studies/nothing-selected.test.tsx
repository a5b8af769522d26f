import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { makeView } from '../../../test/make-view.ts'
import { showRouted } from '../../../test/routed.tsx'
import { shortcutsKey } from '../../session/preferences.ts'
import { noteRecentStudy } from '../../state/recent-studies.ts'
import { NothingSelected } from './nothing-selected.tsx'

const nothing = <NothingSelected view={makeView()} inboxes={[]} />

test('before a study is selected, the pane leads back to those that were open last', async () => {
  noteRecentStudy('another session', makeStudy({ uuid: 's0', patient_name: 'OTHER^O' }))
  noteRecentStudy('session', makeStudy({ uuid: 's1', patient_name: 'SILVA^ANA', study_description: 'Chest' }))
  noteRecentStudy('session', makeStudy({ uuid: 's2', patient_name: 'BROWN^BO' }))
  showRouted(nothing)
  const links = await screen.findAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/?study=s2', '/?study=s1'])
  expect(links[1]?.textContent).toContain('Chest')
  expect(links[1]?.textContent).not.toContain('Neuro')
  expect(screen.getByText('Mark the study')).toBeDefined()
  act(() => noteRecentStudy('session', makeStudy({ uuid: 's3', phi_namespace: 'q', phi_namespace_name: 'Harbour' })))
  await waitFor(() => expect(screen.getAllByRole('link')[0]?.textContent).toContain('Harbour'))
  expect(screen.getAllByRole('link')[2]?.textContent).toContain('Neuro')
})

test('beside a list without studies nothing asks to select one, nor names keys for it', async () => {
  showRouted(nothing, { 'study/count': { count: 0 } })
  await screen.findByText('Go to the search field')
  await waitFor(() => expect(screen.queryByText('Select a study to see its details')).toBeNull())
  expect(screen.queryByText('Mark the study')).toBeNull()
})

test('single keys are not named where they are switched off', async () => {
  showRouted(nothing, {}, { [shortcutsKey]: '0' })
  await screen.findByText('Select a study to see its details')
  expect(screen.queryByText('Mark the study')).toBeNull()
  expect(screen.getByText('Go to a study, search, group or action')).toBeDefined()
})

test('an exam that has gone since is named no more, and the others as they are by now', async () => {
  for (const uuid of ['g1', 'g2', 'g3']) noteRecentStudy('session', makeStudy({ uuid, patient_name: `GREY^${uuid}` }))
  showRouted(nothing, {
    'study/list': (sent: Record<string, unknown>) => ({
      studies: [makeStudy({ uuid: 'g3', patient_name: 'WHITE^G3' }), makeStudy({ uuid: 'g1', patient_name: 'GREY^G1' })]
        // the bin is not asked for
        .filter(() => sent['filter.is_deleted.equals'] === 0),
      page: { more: 0, rows: 3, number: 1, total: 2 },
    }),
  })
  await waitFor(() => expect(screen.queryByText('GREY, g2')).toBeNull())
  const names = (await screen.findAllByRole('link')).map((link) => link.textContent)
  expect(names).toEqual([expect.stringContaining('WHITE, G3'), expect.stringContaining('GREY, G1')])
})
