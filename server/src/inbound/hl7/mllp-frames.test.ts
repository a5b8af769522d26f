import { expect, it } from 'vitest'
import { FrameError, frameMessage, FrameReader } from './mllp-frames.ts'

const texts = (messages: readonly Buffer[]) => messages.map(String)

it('finds messages however the stream is cut, with blanks between them', () => {
  const stream = Buffer.concat([
    frameMessage(Buffer.from('one')),
    Buffer.from(' \r\n'),
    frameMessage(Buffer.from('two')),
  ])
  for (let size = 1; size <= stream.length; size++) {
    const reader = new FrameReader(10)
    const found: Buffer[] = []
    for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)))
    expect(texts(found)).toEqual(['one', 'two'])
    expect([reader.isInside, reader.heldBytes]).toEqual([false, 0])
  }
})

it.each([
  ['bytes outside', 'x'],
  ['a message in a message', '\u000bone\u000btwo'],
  ['an end without its return', '\u000bone\u001cx'],
  ['a message that is too large', `\u000b${'x'.repeat(11)}`],
])('refuses %s', (_words, stream) => {
  expect(() => new FrameReader(10).push(Buffer.from(stream))).toThrow(FrameError)
})

it('takes a message of the largest size, and an empty one', () => {
  const reader = new FrameReader(10)
  expect(texts(reader.push(frameMessage(Buffer.from('0123456789'))))).toEqual(['0123456789'])
  expect(texts(reader.push(frameMessage(Buffer.alloc(0))))).toEqual([''])
})
