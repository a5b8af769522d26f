import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { MultipartError, readMultipart } from './read-multipart.ts'

/** The parts of a body that comes in chunks of this many bytes. */
async function read(body: string, boundary = 'x', chunkBytes = 1000): Promise<{ headers: object; text: string }[]> {
  const bytes = Buffer.from(body, 'latin1')
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes))
  const parts: { headers: object; text: string }[] = []
  for await (const part of readMultipart(Readable.from(chunks), boundary)) {
    let text = ''
    for await (const chunk of part.body) text += Buffer.from(chunk).toString('latin1')
    part.release()
    parts.push({ headers: Object.fromEntries(part.headers), text })
  }
  return parts
}

const plain = '--x\r\nContent-Type: a/b\r\nX-Y:  z \r\n\r\none\r\n--x\r\n\r\n\r\n\r\n--x--\r\n'
const plainParts = [
  { headers: { 'content-type': 'a/b', 'x-y': 'z' }, text: 'one' },
  { headers: {}, text: '\r\n' },
]

test.each([1, 2, 3, 5, 7, 1000])('reads parts however the body is cut, here into chunks of %i bytes', async (size) => {
  expect(await read(plain, 'x', size)).toEqual(plainParts)
})

test.each([1, 4, 1000])(
  'leaves line ends, dashes and longer boundaries inside a part alone (%i bytes)',
  async (size) => {
    const text = 'a\r\n--xy\r\n\r\n-\r\n--\r\r\n--\r\n\n--x--\r\r\n'
    expect(await read(`--x\r\n\r\n${text}\r\n--x--`, 'x', size)).toEqual([{ headers: {}, text }])
  },
)

test('passes over a preamble and an epilogue, blanks behind a boundary and folded headers', async () => {
  const body = 'hello\r\n--x \t\r\nA: b\r\n c\r\n\r\nbody\r\n--x--\r\nbye --x\r\n'
  expect(await read(body)).toEqual([{ headers: { a: 'b c' }, text: 'body' }])
})

test.each([1, 6, 1000])('a part without a header block or without a body is empty (%i bytes)', async (size) => {
  expect(await read('--x\r\n\r\n--x\r\nA: b\r\n\r\n--x--', 'x', size)).toEqual([
    { headers: {}, text: '' },
    { headers: { a: 'b' }, text: '' },
  ])
})

test('no parts at all is no error', async () => {
  expect(await read('--x--\r\n')).toEqual([])
})

test.each([
  ['no boundary', 'nothing here'],
  ['no end', '--x\r\n\r\nbody'],
  ['an end inside the boundary', '--x\r\n\r\nbody\r\n--x'],
  ['an end inside the header', '--x\r\nContent-Type: a'],
  ['nothing', ''],
  ['a header without end', `--x\r\nA: ${'b'.repeat(20_000)}\r\n\r\nbody\r\n--x--`],
  ['a preamble without end', `${'p'.repeat(200_000)}\r\n--x\r\n\r\nbody\r\n--x--`],
])('%s is an error in words', async (_name, body) => {
  await expect(read(body)).rejects.toThrow(MultipartError)
})

test('a part that nobody reads to its end does not keep the next from coming', async () => {
  const big = 'b'.repeat(100_000)
  const seen: string[] = []
  for await (const part of readMultipart(
    Readable.from([Buffer.from(`--x\r\n\r\n${big}\r\n--x\r\n\r\ntwo\r\n--x--`)]),
    'x',
  )) {
    if (seen.length === 0) seen.push('one')
    else for await (const chunk of part.body) seen.push(Buffer.from(chunk).toString())
    part.release()
  }
  expect(seen).toEqual(['one', 'two'])
})

test('copies nothing for parts that are empty, however many come in one chunk', async () => {
  const copied = vi.spyOn(Buffer, 'concat')
  const body = `--x${'\r\n\r\n\r\n--x'.repeat(20_000)}--`
  expect((await read(body, 'x', body.length)).length).toBe(20_000)
  // the line end that stands in front of the body is joined to its first chunk
  expect(copied.mock.calls.length).toBe(1)
  copied.mockRestore()
})
