import { expect, it } from 'vitest'
import { FilesAhead } from './files-ahead.ts'
import type { OutgoingInstance } from './outgoing-instance.ts'

const PIECE = 300_000

/** A file that tells how far it was read. */
function makeFile(name: string, pieces: number, ownsChunks = true) {
  const file = { read: 0, isOpen: false, chunks: [] as Buffer[] }
  const open = async function* () {
    file.isOpen = true
    try {
      for (; file.read < pieces; file.read += 1) {
        const chunk = Buffer.allocUnsafeSlow(PIECE).fill(file.read + 1)
        file.chunks.push(chunk)
        yield chunk
      }
    } finally {
      file.isOpen = false
    }
  }
  const useFile = () => Promise.reject(new Error('Nobody decodes it'))
  const instance: OutgoingInstance = { sopClass: '', sopInstance: name, transferSyntax: '', open, ownsChunks, useFile }
  return { file, instance }
}

async function contentOf({ open }: OutgoingInstance): Promise<number[]> {
  const content: number[] = []
  for await (const chunk of open()) content.push(chunk[0] ?? 0, chunk.length)
  return content
}

it('reads the beginning of an image before its turn, and the rest when it is sent', async () => {
  const [first, second] = [makeFile('1', 2), makeFile('2', 6)]
  const ahead = new FilesAhead()
  ahead.begin([first.instance, second.instance], () => true)
  ahead.begin([first.instance, second.instance], () => true)
  await expect.poll(() => [first.file.isOpen, second.file.read]).toEqual([false, 3])
  for (const { instance } of [first, second]) {
    const turn = ahead.take(instance)
    const pieces = instance === first.instance ? [1, 2] : [1, 2, 3, 4, 5, 6]
    expect(await contentOf(turn.instance)).toEqual(pieces.flatMap((piece) => [piece, PIECE]))
    await turn.close(true)
  }
  expect(second.file.isOpen).toBe(false)
})

it('gives memory back only of bytes that have left and that nobody else reads', async () => {
  const files = [makeFile('left', 1), makeFile('on its way', 1), makeFile('shared', 1, false)]
  const ahead = new FilesAhead()
  for (const { instance, file } of files) {
    ahead.begin([instance], () => true)
    const turn = ahead.take(instance)
    expect(await contentOf(turn.instance)).toEqual([1, PIECE])
    await turn.close(file !== files[1]?.file)
  }
  expect(files.map(({ file }) => file.chunks[0]?.length)).toEqual([0, PIECE, PIECE])
})

it('lets go of files that were begun and not sent, opened for sending or not', async () => {
  const [sent, left] = [makeFile('1', 9), makeFile('2', 9)]
  const ahead = new FilesAhead()
  for (let count = 0; count < 2; count++) ahead.begin([sent.instance, left.instance], () => true)
  const turn = ahead.take(sent.instance)
  turn.instance.open()
  await turn.close(false)
  await ahead.close()
  expect([sent.file.isOpen, left.file.isOpen]).toEqual([false, false])
})

it('reads no image whose pixels are decoded elsewhere, and gives it as it is', async () => {
  const { file, instance } = makeFile('1', 1)
  const ahead = new FilesAhead()
  ahead.begin([instance], () => false)
  expect(ahead.take(instance).instance).toBe(instance)
  await ahead.close()
  expect(file.isOpen).toBe(false)
})

it('throws what fails while it is read ahead to the reader alone, before the first byte', async () => {
  const instance: OutgoingInstance = {
    ...makeFile('1', 1).instance,
    open: async function* () {
      yield Buffer.alloc(PIECE)
      throw new RangeError('gone')
    },
  }
  const ahead = new FilesAhead()
  ahead.begin([instance], () => true)
  const turn = ahead.take(instance)
  let count = 0
  const read = async () => {
    for await (const _chunk of turn.instance.open()) count += 1
  }
  await expect(read()).rejects.toThrow('gone')
  expect(count).toBe(0)
  await turn.close(false)
})

it('ends the turn of an image also where its file cannot be closed: what became of the image is known', async () => {
  const instance: OutgoingInstance = {
    ...makeFile('1', 1).instance,
    open: async function* () {
      try {
        for (;;) yield Buffer.alloc(PIECE)
      } finally {
        // oxlint-disable-next-line no-unsafe-finally
        throw new RangeError('not closed')
      }
    },
  }
  const ahead = new FilesAhead()
  ahead.begin([instance], () => true)
  const turn = ahead.take(instance)
  for await (const _chunk of turn.instance.open()) break
  await expect(turn.close(true)).resolves.toBeUndefined()
  // begun, and never sent
  ahead.begin([{ ...instance }], () => true)
  await expect(ahead.close()).resolves.toBeUndefined()
})
