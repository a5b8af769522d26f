import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeStudy } from '../../test/make-study.ts'
import { showRouted } from '../../test/routed.tsx'
import { makeInbox } from '../../test/signed-in.tsx'
import { StudyPane } from './study-pane.tsx'

const nothing = () => undefined
const group = makeInbox('g')
const inboxes = [makeInbox('mine', { kind: 'mine', designation: 'LIBRARY', namespaceId: 'ns-mine' }), group]

test.each([
  ['of the group', group.namespaceId, true],
  ['of one’s own place', 'ns-mine', false],
  ['of another organisation', 'ns-elsewhere', false],
])(
  '[PANEL-03] [PERM-01] an exam %s has, beside whichever list, the tabs of its own place',
  async (_of, phi_namespace, isSent) => {
    const study = makeStudy({ uuid: 's1', phi_namespace, permissions: { study_view: 1, study_push: 1 } })
    showRouted(
      <StudyPane
        onOpen={() => undefined}
        selectedUuid="s1"
        marked={[]}
        inboxes={inboxes}
        state="Inbox"
        tab={undefined}
        onTab={nothing}
        onClose={nothing}
        onDeselect={nothing}
      />,
      {
        'study/get': study,
        'study/mrn/holders': { holders: [], elsewhere: 0, more: 0 },
        'study/related': { related: [], more: 0 },
        'user/namespace/list': { namespaces: [] },
      },
    )
    await screen.findByRole('tab', { name: 'Summary' }, { timeout: 8000 })
    expect(screen.queryByRole('tab', { name: 'PACS' }) !== null).toBe(isSent)
  },
)
