import { expect, test } from 'vitest'
import { readMultipartForm, textOfPart } from './multipart-form.ts'

const boundary = 'cut-here'
const type = `multipart/form-data; boundary=${boundary}`
const form = Buffer.from(
  [
    '--cut-here',
    'Content-Disposition: form-data; name="tags"',
    '',
    '{"a":1}',
    '--cut-here',
    'Content-Disposition: form-data; name="data"; filename="sm\u00f6rg%22\u00e5s.txt"',
    'Content-Type: text/plain',
    '',
    'first line\r\n--cut-her is no delimiter\r\n',
    '--cut-here--',
    'epilogue',
  ].join('\r\n'),
)

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(contentType: string | undefined, bytes: Buffer, chunk: number): Promise<unknown[]> {
  const parts: unknown[] = []
  for await (const part of readMultipartForm(contentType, inChunks(bytes, chunk))) {
    const { name, filename } = part
    parts.push([name, filename, await textOfPart(part, 1000)])
  }
  return parts
}

test.each([1, 2, 3, 7, 64, 10_000])('a form is read the same in chunks of %i bytes', async (chunk) => {
  expect(await readAll(type, form, chunk)).toEqual([
    ['tags', undefined, '{"a":1}'],
    ['data', 'smörg"ås.txt', 'first line\r\n--cut-her is no delimiter\r\n'],
  ])
})

test('parts that nobody reads are passed over', async () => {
  const names: string[] = []
  for await (const part of readMultipartForm(type, inChunks(form, 5))) names.push(part.name)
  expect(names).toEqual(['tags', 'data'])
})

test.each([
  ['a form that ends early', type, form.subarray(0, form.length - 20)],
  ['an empty body', type, Buffer.alloc(0)],
  ['another type of body', 'application/json', form],
  ['a form without its boundary', 'multipart/form-data', form],
])('%s is refused in words', async (_what, contentType, bytes) => {
  await expect(readAll(contentType, bytes, 10)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a field larger than allowed is refused', async () => {
  const reading = (async () => {
    for await (const part of readMultipartForm(type, inChunks(form, 5))) await textOfPart(part, 3)
  })()
  await expect(reading).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('who leaves a form before its end lets go of its body, so that the rest can flow off', async () => {
  let isLetGo = false
  const body = (async function* () {
    try {
      yield* inChunks(form, 64)
    } finally {
      isLetGo = true
    }
  })()
  for await (const part of readMultipartForm(type, body)) {
    expect(part.name).toBe('tags')
    break
  }
  expect(isLetGo).toBe(true)
})
