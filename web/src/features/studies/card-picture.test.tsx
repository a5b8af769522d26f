import { act, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { CardPicture } from './card-picture.tsx'

let tell: (isIntersecting: boolean) => void

beforeEach(() => {
  vi.useFakeTimers()
  class Observer {
    constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
      tell = (isIntersecting) => act(() => report([{ isIntersecting }]))
    }
    observe = vi.fn()
    disconnect = vi.fn()
  }
  vi.stubGlobal('IntersectionObserver', Observer)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const study = makeStudy({ phi_namespace: 'ns', study_uid: '1.2.3', image_count: 4 })
const rest = () => act(() => vi.advanceTimersByTime(1000))

test('the picture of a card is asked for once the card rests in sight, and not where it is scrolled past', () => {
  const { container } = render(<CardPicture study={study} />)
  rest()
  expect(container.querySelector('img')).toBeNull()
  tell(true)
  tell(false)
  rest()
  expect(container.querySelector('img')).toBeNull()
  tell(true)
  rest()
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/dicomweb/ns/studies/1.2.3/thumbnail')
})

test('a study without a picture shows that there is none', () => {
  const { container } = render(<CardPicture study={study} />)
  tell(true)
  rest()
  const picture = container.querySelector('img')
  if (picture) fireEvent.error(picture)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('svg')).not.toBeNull()
})
