import { describe, expect, test } from 'vitest'
import { RequestSize } from './request-size.ts'

/** Files of the requests of an upload that each took so long. */
function sizesOf(fileCount: number, ...tookMs: readonly number[]): number[] {
  const size = new RequestSize(fileCount)
  return tookMs.map((ms) => {
    const { files } = size
    size.note(ms, true)
    return files
  })
}

describe('files of a request', () => {
  test('are more and more while requests are over quickly, and never beyond a bound', () => {
    expect(sizesOf(5000, ...Array.from({ length: 8 }, () => 20))).toEqual([1, 2, 4, 8, 16, 16, 16, 16])
  })

  test('stay one on a slow line, so that a line that breaks costs little', () => {
    expect(sizesOf(5000, 4000, 4000, 4000)).toEqual([1, 1, 1])
  })

  test('become fewer where a line becomes slow, and stay between', () => {
    expect(sizesOf(5000, 20, 20, 20, 500, 2000, 500)).toEqual([1, 2, 4, 8, 8, 4])
  })

  test('are one in an upload of few files', () => {
    expect(sizesOf(199, 20, 20, 20)).toEqual([1, 1, 1])
  })

  test('are one again once some of a request have not arrived', () => {
    const size = new RequestSize(5000)
    for (let quick = 0; quick < 4; quick++) size.note(20, true)
    expect(size.files).toBe(16)
    size.note(20, false)
    expect(size.files).toBe(1)
  })
})
