import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { askedAddresses, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearActMessages } from '../../state/act-messages.ts'
import { mark, useMarked } from '../../state/marked-studies.ts'
import { BatchActs } from './batch-acts.tsx'
import { MessagePanel } from './message-panel.tsx'

const permissions = { study_star: 1, study_tag: 1, study_status_edit: 1 }
const ann = makeStudy({ uuid: 'a', patient_name: 'DOE^ANN', tags: ['Old'], work_status: 'done', permissions })
const bob = makeStudy({ uuid: 'b', patient_name: 'ROE^BOB', tags: ['stat'], work_status: 'new', star: 1, permissions })

beforeEach(clearActMessages)

function show(replies = {}, studies = [ann, bob]) {
  mark('view', studies, true)
  showSignedIn(
    <>
      <BatchActs studies={studies} onMoved={() => undefined} />
      <MessagePanel onOpen={() => undefined} />
      <Marks />
    </>,
    replies,
  )
}
const Marks = () => <p>{useMarked('view').size} marked</p>
const sentBy = (path: string) => sentCalls.filter((call) => call.path === path).map(({ sent }) => sent)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('[LIST-15] [GRID-05] a tag goes to all in one request, ends the selection, and Undo takes it off those that had it not', async () => {
  show()
  await userEvent.type(screen.getByRole('textbox', { name: 'Add a tag to all' }), 'STAT{Enter}')
  await screen.findByText('2 studies were tagged STAT')
  expect(screen.getByText('0 marked')).toBeTruthy()
  expect(sentBy('tag/add').map(({ object_id: uuid }) => uuid)).toEqual(['a', 'b'])
  expect(askedAddresses.filter((one) => /bundle|tag\/add/.test(one))).toEqual(['/api/v3/bundle'])
  await press('Undo')
  await screen.findByText('Everything is as it was before.')
  expect(sentBy('tag/delete')).toEqual([{ tag: 'STAT', object: 'Study', object_id: 'a' }])
})

test('[ERROR-09] of several, those that could not be changed are named with the reason', async () => {
  show({ 'study/star': ({ uuid }: { uuid: string }) => (uuid === 'a' ? { error_type: 'LOCKED' } : undefined) })
  await press('Star')
  await screen.findByText('1 study was starred')
  expect(screen.getByText('1 of 2 studies could not be changed')).toBeTruthy()
  expect(screen.getByText(/^DOE, ANN: Somebody else is editing/)).toBeTruthy()
  // the other one had a star before: nothing was changed that could be put back
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('Undo of a status gives each study back its own', async () => {
  show()
  await press('Set status')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'In progress' }))
  await screen.findByText('2 studies were set to In progress')
  await press('Undo')
  await waitFor(() =>
    expect(sentBy('study/set').slice(2)).toEqual([
      { study_id: 'a', work_status: 'done' },
      { study_id: 'b', work_status: 'new' },
    ]),
  )
})

test('Undo of a status leaves alone what a colleague changed in between', async () => {
  const set = ({ study_id: uuid, row_version: version }: Record<string, unknown>) => {
    if (version === undefined) return { status: 'OK', row_version: uuid === 'a' ? 8 : 3 }
    return uuid === 'a' ? { error_type: 'STALE' } : { status: 'OK', row_version: 4 }
  }
  show({ 'study/set': set })
  await press('Set status')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'In progress' }))
  await press('Undo')
  await waitFor(() =>
    expect(sentBy('study/set').slice(2)).toEqual([
      { study_id: 'a', work_status: 'done', row_version: 8 },
      { study_id: 'b', work_status: 'new', row_version: 3 },
    ]),
  )
  expect(screen.queryByText('Everything is as it was before.')).toBeNull()
})

test('[PERM-01] an act that one of them does not allow is off and says for whom; one that none allows is not there', () => {
  const guest = makeStudy({ uuid: 'c', patient_name: 'POE^CYD', permissions: { study_tag: 1 } })
  show({}, [makeStudy({ uuid: 'd', permissions: { study_tag: 1, study_star: 1 } }), guest])
  const star = screen.getByRole('button', { name: 'Star' }) as HTMLButtonElement
  expect(star.disabled).toBe(true)
  expect(screen.getByText('Stars are off: your role does not permit a change for POE, CYD.').id).toBe(
    star.getAttribute('aria-describedby'),
  )
  expect(screen.queryByRole('button', { name: 'Set status' })).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Add a tag to all' })).toBeTruthy()
})

test('[PANEL-01] marking again makes the messages of the act before give way', async () => {
  show()
  await press('Star')
  await screen.findByText('2 studies were starred')
  act(() => mark('view', [ann], true))
  expect(screen.queryByText('2 studies were starred')).toBeNull()
})
