import { expect, it } from 'vitest'
import { freeBytes } from '../../outbound/storage/free-bytes.ts'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { outgoingOf } from './outgoing.ts'

it('gives each image bytes of its own: freed after one was sent, those of the next are whole', async () => {
  const stored = Buffer.alloc(300, 7)
  const store = {
    stream: async function* (_key: string, offset: number, length: number) {
      yield Uint8Array.from(stored.subarray(offset, offset + length))
    },
    // the image is known by its hash, not by a beginning that names it
    read: async () => stored,
  }
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', stored)).toString('hex')
  const instance = {
    object_key: 'key',
    byte_offset: 0,
    length: stored.length,
    sha256,
    sop_uid: '1.2.3',
    preamble_blank: false,
    bare_start: null,
  } as StoredInstance
  for (let turn = 0; turn < 2; turn++) {
    const chunks: Uint8Array[] = []
    const signal = new AbortController().signal
    const { open, ownsChunks } = outgoingOf({ store } as unknown as Services, instance, async () => undefined, signal)
    for await (const chunk of open()) chunks.push(chunk)
    expect(ownsChunks).toBe(true)
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat([Buffer.alloc(128), stored.subarray(128)]))
    freeBytes(chunks)
  }
})
