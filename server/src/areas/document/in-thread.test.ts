import { StorageError } from '@hilum/contract/storage-errors'
import { expect, test } from 'vitest'
import { inThread } from './in-thread.ts'

const file = new URL('./misbehaving-thread.ts', import.meta.url)

async function run(act: string, stepMs = 60_000): Promise<unknown[]> {
  const heard: unknown[] = []
  try {
    for await (const value of inThread<string>(file, { act }, { stepMs, heapMb: 64 })) heard.push(value)
  } catch (error) {
    heard.push(error instanceof StorageError ? [error.code, error.message] : error)
  }
  return heard
}

const broken = ['VALIDATION_ERROR', 'The document cannot be drawn']

test('gives what the thread answers, one after the other', async () => {
  expect(await run('nothing')).toEqual(['first', 'second'])
  expect(await run('print')).toEqual(['first', 'second'])
})

test.each(['exit', 'throw', 'fail'])(
  'a thread that ends by %s is told as a document that cannot be drawn',
  async (act) => {
    expect(await run(act)).toEqual(['first', broken])
  },
)

test('a thread that takes more memory than it may ends, and nothing else does', async () => {
  expect(await run('eat')).toEqual([
    'first',
    ['PAYLOAD_TOO_LARGE', 'Drawing the document takes more memory than allowed'],
  ])
})

test('a thread that does not answer is ended', async () => {
  const heard = await run('hang', 5_000)
  expect(heard.at(-1)).toEqual(['PAYLOAD_TOO_LARGE', 'Drawing the document takes longer than 5 s'])
})

test('who has enough leaves, and the thread ends', async () => {
  for await (const value of inThread<string>(file, { act: 'hang' }, { stepMs: 60_000, heapMb: 64 })) {
    expect(value).toBe('first')
    break
  }
})
