import { expect, test } from 'vitest'
import { WaitingLine } from './waiting-line.ts'

function fill(...entries: readonly string[]): WaitingLine<string> {
  const line = new WaitingLine<string>()
  for (const entry of entries) line.push(entry.slice(0, 1), entry)
  return line
}

function empty(line: WaitingLine<string>): string[] {
  const order: string[] = []
  for (let next = line.shift(); next !== undefined; next = line.shift()) order.push(next)
  return order
}

test('owners take turns, and each one’s own things keep their order', () => {
  const line = fill('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2')
  expect([line.size, line.peek()]).toEqual([7, 'a1'])
  expect(empty(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4'])
  expect([line.size, line.peek()]).toEqual([0, undefined])
})

test('who comes late waits for one thing of each that waits, not for all', () => {
  const line = fill('a1', 'a2', 'a3')
  expect(line.shift()).toBe('a1')
  line.push('b', 'b1')
  expect(empty(line)).toEqual(['a2', 'b1', 'a3'])
})

test('what is taken out does not come up again', () => {
  const line = fill('a1', 'a2', 'b1')
  line.remove('b1')
  line.remove('a1')
  line.remove('unknown')
  expect([line.size, ...line]).toEqual([1, 'a2'])
  expect(empty(line)).toEqual(['a2'])
})

test('who has the most gives its last up to who has less, and to nobody who has as much', () => {
  const line = fill('a1', 'a2', 'a3', 'b1')
  expect(line.yieldTo('a')).toBeUndefined()
  expect(line.yieldTo('c')).toBe('a3')
  expect(line.yieldTo('b')).toBeUndefined()
  expect(line.yieldTo('c')).toBe('a2')
  expect(line.yieldTo('c')).toBeUndefined()
  expect([line.size, ...line]).toEqual([2, 'a1', 'b1'])
})
