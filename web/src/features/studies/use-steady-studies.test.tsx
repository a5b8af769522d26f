import type { Study } from '@hilum/contract/entities/study'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { studyQuery } from '../../queries/studies.ts'
import { useSteadyStudies } from './use-steady-studies.ts'

const listed = makeStudy({ uuid: 'x', patientid: 'M1' })

function hold(open: Study, isOpen: boolean) {
  const client = new QueryClient()
  client.setQueryData(studyQuery('x').queryKey, open)
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const list = renderHook(
    ({ fresh }: { fresh: Study[] }) => {
      useQuery({ ...studyQuery('x'), enabled: isOpen, staleTime: Number.POSITIVE_INFINITY })
      return useSteadyStudies('key', fresh, true, false)
    },
    { initialProps: { fresh: [listed] }, wrapper },
  )
  const shown = () => list.result.current.studies.map(({ patientid }) => patientid)
  return { client, list, shown }
}

test('a row that belongs to the list no more shows what the open panel shows', async () => {
  const { client, list, shown } = hold({ ...listed, patientid: 'M2' }, true)
  expect(shown()).toEqual(['M1'])
  list.rerender({ fresh: [] })
  expect(shown()).toEqual(['M2'])
  act(() => void client.setQueryData(studyQuery('x').queryKey, { ...listed, patientid: 'M3' }))
  await waitFor(() => expect(shown()).toEqual(['M3']))
})

test('a row keeps its values beside a study that was read once and is open no more', () => {
  const { list, shown } = hold({ ...listed, patientid: 'older' }, false)
  list.rerender({ fresh: [] })
  expect(shown()).toEqual(['M1'])
})
