import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { StudyCard, type StudyCardProps } from './study-card.tsx'

function show(given: Parameters<typeof makeStudy>[0], props: Partial<StudyCardProps> = {}) {
  const onSelect = vi.fn()
  const onMark = vi.fn()
  const onStar = vi.fn()
  render(
    <MantineProvider>
      <ul>
        <StudyCard
          study={makeStudy(given)}
          designation="CLOUD"
          dateFormat="DD/MM/YYYY"
          isSelected={false}
          isMarked={false}
          onSelect={onSelect}
          onMark={onMark}
          onStar={onStar}
          {...props}
        />
      </ul>
    </MantineProvider>,
  )
  return { onSelect, onMark, onStar }
}

test('[LIST-18] a card leaves the cutting of the description to the room there is, and shows at most two tags', () => {
  show({ study_description: 'CT CHEST WITH CONTRAST', tags: ['stat', 'trauma', 'teaching'] })
  expect(screen.getByText('CT CHEST WITH CONTRAST').title).toBe('CT CHEST WITH CONTRAST')
  expect(screen.getByText('stat')).toBeTruthy()
  expect(screen.getByText('trauma')).toBeTruthy()
  expect(screen.queryByText('teaching')).toBeNull()
  expect(screen.getByText('+1')).toBeTruthy()
})

test('a card names the patient, and dates in the format of the person', () => {
  show({ patient_name: 'Yamada^Tarou=山田^太郎=やまだ^たろう' })
  expect(screen.getByText('YAMADA, Tarou')).toBeTruthy()
  expect(screen.getByText('山田 太郎')).toBeTruthy()
  expect(screen.getByText('01/03/2026')).toBeTruthy()
  expect(screen.getByText('F · 46 y')).toBeTruthy()
})

test('a card names the place where it is told of one: whole under the pointer, and for the ear after the exam', () => {
  const place = 'Department of Interventional Radiology and Angiography'
  show({}, { place })
  const shown = screen.getByTitle(place)
  expect(screen.getByRole('button', { name: /^DOE, Jane/ }).getAttribute('aria-describedby')).toBe(shown.id)
})

test('a study that is arriving says how far it is, an incomplete one that it is', () => {
  show({ arrival: 'receiving', image_count: 40, expected_count: 60 })
  expect(screen.getByText('Receiving 40 of 60')).toBeTruthy()
  show({ arrival: 'incomplete' })
  expect(screen.getByText('Incomplete')).toBeTruthy()
})

test('a long MRN shows both its ends and is whole under the pointer and for the ear', () => {
  const mrn = 'GENERAL-HOSPITAL-MEDICAL-RECORD-000000012345'
  show({ patientid: mrn })
  const whole = screen.getByTitle(mrn)
  expect(whole.lastChild?.textContent).toBe('012345')
  const heard = [...whole.children].filter((part) => part.getAttribute('aria-hidden') !== 'true')
  expect(heard.map(({ textContent }) => textContent)).toEqual([mrn])
})

test('icons stand for exceptions: an MRN of another organisation, which most received exams have, is no such', () => {
  show({ patientid: 'M7', issuer: 'AWAY', mrn_outside: 1, attachment_count: 1 })
  expect(screen.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'))).toEqual(['Has attachments'])
})

test('a study of more than one patient says so', () => {
  show({ mixed_patients: 1 })
  expect(screen.getByText('Mixed patients')).toBeTruthy()
})

test('[LIST-17] icons have names: attachment, shared; sending has icon and word', () => {
  const pushed = {
    destination_uuid: '',
    destination_name: '',
    status_reason: null,
    is_overtaken: 0,
    wants_reason: 0,
    question: '',
    commitment: null,
    commitment_reason: null,
    image_count: null,
    late_image_count: 0,
    created: '',
    updated: '',
  }
  show({ attachment_count: 1, has_direct_shares: 1, study_push_status: [{ ...pushed, status: 'F' }] })
  expect(screen.getByRole('img', { name: 'Has attachments' })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Shared' })).toBeTruthy()
  expect(screen.getByText('Failed')).toBeTruthy()
})

test.each([
  ['nominated', 'Nominated'],
  ['queued', 'Nominated'],
  ['completed', 'Sent into the PACS'],
  ['rejected', 'Rejected'],
  ['failed', 'Not sent into the PACS'],
] as const)('[LIST-17] a nomination that is %s has the icon %s', (state, name) => {
  show({ nomination: makeNomination({ state }) })
  expect(screen.getByRole('img', { name })).toBeTruthy()
})

test('[LIST-19] priority shows in gatekeeper groups only', () => {
  show({ priority: 1 })
  expect(screen.queryByRole('img', { name: 'Priority' })).toBeNull()
  show({ priority: 1 }, { designation: 'GATEKEEPER' })
  expect(screen.getByRole('img', { name: 'Priority' })).toBeTruthy()
})

test('[LIST-14] a card is selected by its button and marked by its box, which a gatekeeper group lacks', async () => {
  const { onSelect, onMark } = show({})
  await userEvent.click(screen.getByRole('button', { name: /DOE, Jane/ }))
  expect(onSelect).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select DOE, Jane' }))
  expect(onMark.mock.calls[0]?.slice(1)).toEqual([true, false])
  show({}, { isMarked: undefined })
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
})

test('a star is a button of its own that says whether it is set, for those who may', async () => {
  const { onStar, onSelect } = show({ star: 1, permissions: { study_star: 1 } })
  const star = screen.getByRole('button', { name: 'Star DOE, Jane' })
  expect(star.getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(star)
  expect(onStar).toHaveBeenCalledOnce()
  expect(onSelect).not.toHaveBeenCalled()
  cleanup()
  show({ permissions: {} })
  expect(screen.queryByRole('button', { name: 'Star DOE, Jane' })).toBeNull()
})

test('work status: a new study says nothing, one that was taken says by whom, a done one that it is', () => {
  show({ work_status: 'new' })
  expect(screen.queryByText(/In progress|Done/)).toBeNull()
  show({ work_status: 'in_progress', taken_by_name: 'Ana Lima' })
  expect(screen.getByText('In progress · Ana Lima')).toBeTruthy()
  show({ work_status: 'done' })
  expect(screen.getByText('Done')).toBeTruthy()
})

test('a deleted study can be restored from its card by who may delete', async () => {
  const onRestore = vi.fn()
  show({ permissions: { study_delete: 1 } }, { onRestore })
  await userEvent.click(screen.getByRole('button', { name: 'Restore DOE, Jane' }))
  expect(onRestore).toHaveBeenCalledOnce()
  cleanup()
  show({ permissions: {} }, { onRestore })
  expect(screen.queryByRole('button', { name: 'Restore DOE, Jane' })).toBeNull()
})

test('marks what waits for approval, but not in a gatekeeper group, where all does', () => {
  const mark = () => screen.queryByRole('img', { name: 'Waits for approval' })
  show({ must_approve: 1 })
  expect(mark()).not.toBeNull()
  cleanup()
  show({ has_waiting_shares: 1 })
  expect(mark()).not.toBeNull()
  cleanup()
  show({ must_approve: 1 }, { designation: 'GATEKEEPER' })
  expect(mark()).toBeNull()
})
