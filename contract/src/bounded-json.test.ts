import { expect, it } from 'vitest'
import { JsonBounds, JsonBoundsError, parseBoundedJson } from './bounded-json.ts'
import { maxJsonDepth, maxJsonValues } from './limits.ts'

/** Pushes a text in pieces of so many bytes; how many pieces were taken before the bounds said no. */
function piecesTaken(text: string, size: number): number {
  const bytes = new TextEncoder().encode(text)
  const bounds = new JsonBounds()
  for (let at = 0; at < bytes.length; at += size) {
    try {
      bounds.push(bytes.subarray(at, at + size))
    } catch (error) {
      if (!(error instanceof JsonBoundsError)) throw error
      return at / size
    }
  }
  return Math.ceil(bytes.length / size)
}

it.each(['[', '{"a":', '[{"b":[', '[[],'])('stops within the first kilobyte of %s without end', (sign) => {
  expect(piecesTaken(sign.repeat(50_000), 1024)).toBe(0)
})

it.each([
  ['brackets closed again', '[],'],
  ['objects', '{},'],
  ['numbers', '0,'],
  ['texts with signs in them', '"[{,\\"",'],
  ['fields', '{"a":1,"b":2},'],
])('stops at too many values: %s', (_, sign) => {
  const many = `[${sign.repeat(maxJsonValues + 10)}0]`
  expect(() => parseBoundedJson(many)).toThrow(JsonBoundsError)
  // only what is passed is read
  expect(piecesTaken(many, 1024)).toBeLessThanOrEqual(Math.ceil((sign.length * (maxJsonValues + 2)) / 1024))
})

it('takes what lies within the bounds, wherever the pieces are cut', () => {
  const deepest = `${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}`
  expect(parseBoundedJson(deepest)).toBeInstanceOf(Array)
  expect(() => parseBoundedJson(`[${deepest}]`)).toThrow(JsonBoundsError)
  const text = JSON.stringify({ a: '[[[[{{{{,,,"\\', 'Müller"': [1, '\\"', { c: '"' }], d: 'x'.repeat(300) })
  const signs = '['.repeat(maxJsonDepth + 1)
  for (let size = 1; size < 20; size += 1) {
    expect(piecesTaken(text, size)).toBe(Math.ceil(new TextEncoder().encode(text).length / size))
    expect(piecesTaken(`"${signs}\\\\"`, size)).toBe(Math.ceil((signs.length + 4) / size))
  }
  expect(parseBoundedJson(text)).toEqual(JSON.parse(text))
  expect(() => parseBoundedJson('{"a":')).toThrow(SyntaxError)
})
