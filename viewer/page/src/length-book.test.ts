import { expect, it } from 'vitest'
import { createLengthBook } from './length-book.ts'
import type { MeasuredLength } from './length-report.ts'

type Line = { annotationUID: string; invalidated?: boolean; value?: number; isElsewhere?: boolean }

function makeBook() {
  let told: number[] = []
  let last: string | undefined
  const read = ({ annotationUID, value, isElsewhere }: Line): MeasuredLength | 'elsewhere' | undefined =>
    value === undefined || isElsewhere
      ? isElsewhere
        ? 'elsewhere'
        : undefined
      : {
          uid: annotationUID,
          seriesUid: '1.2',
          image: { instance: {}, sopUid: '1.2.3', frame: 1, framesPerSecond: 1 },
          points: [
            [0, 0],
            [1, 1],
          ],
          value,
          unit: 'mm',
        }
  const book = createLengthBook<Line>(read, (lengths, uid) => {
    told = lengths.map(({ value }) => value)
    last = uid
  })
  return { book, told: () => told, last: () => last }
}

it('tells of no length while it is drawn', () => {
  const { book, told } = makeBook()
  book.reckon({ annotationUID: 'a', value: 3 })
  expect(told()).toEqual([])
  book.finish({ annotationUID: 'a', value: 4 })
  expect(told()).toEqual([4])
})

it('waits for the value that belongs to the last points', () => {
  const { book, told } = makeBook()
  book.finish({ annotationUID: 'a', invalidated: true, value: 3 })
  expect(told()).toEqual([])
  book.reckon({ annotationUID: 'a', value: 4 })
  expect(told()).toEqual([4])
})

it('tells of a length that was moved, cannot be kept any more, or was removed', () => {
  const { book, told } = makeBook()
  book.finish({ annotationUID: 'a', value: 3 })
  book.finish({ annotationUID: 'b', value: 5 })
  book.reckon({ annotationUID: 'a', value: 7 })
  expect(told()).toEqual([7, 5])
  book.reckon({ annotationUID: 'a' })
  expect(told()).toEqual([5])
  book.remove({ annotationUID: 'b' })
  expect(told()).toEqual([])
})

it('names the line that was touched last, also one that cannot be kept', () => {
  const { book, last } = makeBook()
  book.finish({ annotationUID: 'a', value: 3 })
  book.finish({ annotationUID: 'b' })
  expect(last()).toBe('b')
  book.reckon({ annotationUID: 'a', value: 4 })
  expect(last()).toBe('a')
  book.remove({ annotationUID: 'a' })
  expect(last()).toBe('b')
  book.remove({ annotationUID: 'b' })
  expect(last()).toBeUndefined()
})

it('has a line reckoned again that was said to be while another image was shown, and offers it then', () => {
  const { book, told } = makeBook()
  const line = { annotationUID: 'a', value: 3, isElsewhere: true, invalidated: false }
  book.finish({ ...line, isElsewhere: false, invalidated: true })
  book.reckon(line)
  expect(told()).toEqual([])
  expect(line.invalidated).toBe(true)
  book.reckon({ ...line, value: 4, isElsewhere: false, invalidated: false })
  expect(told()).toEqual([4])
})
