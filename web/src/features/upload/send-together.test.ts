import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONFLICT_COMMENT, DUPLICATE_COMMENT } from '@hilum/contract/arrival-texts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UploadGate } from './gate.ts'
import { findHash } from './hash-file.ts'
import { runLanes } from './lanes.ts'
import { sendTogether, sendTogetherByLink } from './send-together.ts'
import type { PlannedFile } from './upload-plan.ts'

/** Requests that the listener below got, and its answers. */
interface Store {
  requests: { address: string; sid: string; parts: string[] }[]
  refuses: ReadonlySet<string>
  /** Error Comments by SOP Instance UID. */
  comments: Readonly<Record<string, string>>
  /** Answers as the door of a request. */
  isLink?: boolean
  /** Instead of an answer by the parts. */
  status?: number
}
let server: Server
let store: Store

beforeEach(async () => {
  store = { requests: [], refuses: new Set(), comments: {} }
  server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = window as unknown as { happyDOM: { setURL(url: string): void } } // the page lives on the same server
  page.happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/study/upload`)
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A store request, whose files hold nothing but their own names. */
async function answer(request: IncomingMessage, reply: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [, type = ''] =
    /^multipart\/related; type="application\/dicom"; boundary=(.+)$/.exec(String(request.headers['content-type'])) ?? []
  const parts = Buffer.concat(chunks)
    .toString()
    .split(`\r\n--${type}`)
    .slice(1, -1)
    .map((part) => part.replace('\r\nContent-Type: application/dicom\r\n\r\n', ''))
  store.requests.push({ address: String(request.url), sid: String(request.headers.authorization), parts })
  const taken = parts.filter((name) => !store.refuses.has(name))
  const value = {
    '00081199': {
      vr: 'SQ',
      Value: taken.map((name) => ({
        '00081155': { vr: 'UI', Value: [name] },
        ...(store.comments[name] ? { '00000902': { vr: 'LO', Value: [store.comments[name]] } } : {}),
      })),
    },
  }
  reply.writeHead(store.status ?? (taken.length === parts.length ? 200 : 202), {
    'content-type': 'application/dicom+json',
  })
  const byLink = { images: taken.map((name) => ({ image_uid: name, outcome: 'stored' })) }
  reply.end(JSON.stringify(store.status ? { error: 'No' } : store.isLink ? byLink : value))
}

/** A file that is named like its SOP Instance UID and holds it. */
const makeFile = (name: string, content = name): PlannedFile => ({
  path: `cd/${name}`,
  file: new File([content], name),
  studyUid: '1.2',
  seriesUid: '1.2.1',
  sopUid: name,
})

async function send(files: readonly PlannedFile[]) {
  const bytes = new Map<string, number>()
  const arrived = await sendTogether(files, 'n', {
    sid: 's',
    signal: new AbortController().signal,
    onBytes: (one, sent) => bytes.set(one.path, sent),
  })
  return { arrived: [...arrived].map(([one, { outcome }]) => [one.sopUid, outcome]), bytes }
}

describe('files in one request', () => {
  test('go to their study with their bytes, and those that were stored are told', async () => {
    store.refuses = new Set(['1.2.1.2'])
    store.comments = { '1.2.1.3': CONFLICT_COMMENT, '1.2.1.4': DUPLICATE_COMMENT, '1.2.1.5': 'Something else' }
    const parts = [1, 2, 3, 4, 5].map((number) => `1.2.1.${number}`)
    const { arrived } = await send(parts.map((name) => makeFile(name)))
    expect(store.requests).toEqual([{ address: '/dicomweb/n/studies/1.2', sid: 'Bearer s', parts }])
    expect(arrived).toEqual([
      ['1.2.1.1', 'stored'],
      ['1.2.1.3', 'conflict'],
      ['1.2.1.4', 'duplicate'],
      ['1.2.1.5', 'stored'],
    ])
  })

  test('go by a request for studies to its own door, which names those that were taken', async () => {
    store.refuses = new Set(['1.2.1.2'])
    store.isLink = true
    const arrived = await sendTogetherByLink(
      ['1.2.1.1', '1.2.1.2'].map((name) => makeFile(name)),
      { sid: 's', signal: new AbortController().signal, onBytes: () => undefined },
    )
    expect(store.requests).toEqual([
      { address: '/api/v3/storage/link/image?study_uid=1.2', sid: 'Bearer s', parts: ['1.2.1.1', '1.2.1.2'] },
    ])
    expect([...arrived].map(([one, { outcome }]) => [one.sopUid, outcome])).toEqual([['1.2.1.1', 'stored']])
  })

  test('have their hashes, without another reading', async () => {
    const one = makeFile('1.2.1.1')
    await send([one, makeFile('1.2.1.2')])
    one.file.arrayBuffer = () => Promise.reject(new Error('read again'))
    expect(await findHash(one.file)).toBe(createHash('sha256').update('1.2.1.1').digest('hex'))
  })

  test('leave out those that share a UID, of which the answer could not tell', async () => {
    const { arrived } = await send([makeFile('1.2.1.1'), makeFile('1.2.1.2'), makeFile('1.2.1.1', 'other')])
    expect(store.requests.map(({ parts }) => parts)).toEqual([['1.2.1.2']])
    expect(arrived).toEqual([['1.2.1.2', 'stored']])
  })

  test.each([403, 409, 503])('that are answered by %d count as not arrived', async (status) => {
    store.status = status
    expect((await send([makeFile('1.2.1.1'), makeFile('1.2.1.2')])).arrived).toEqual([])
  })

  test('of which one has changed are not sent', async () => {
    const changed = makeFile('1.2.1.1')
    Object.defineProperty(changed.file, 'size', { value: 3 })
    await expect(send([changed, makeFile('1.2.1.2')])).rejects.toThrow('A file has changed since it was chosen')
    expect(store.requests).toEqual([])
  })
})

describe('an upload of many files', () => {
  /** Sends files over lanes; `alone` says which were sent by themselves. */
  function run(files: readonly PlannedFile[], gate = new UploadGate()) {
    const alone: string[] = []
    const sent: string[] = []
    const bytes = new Map<string, number>()
    const done = runLanes(files, {
      gate,
      signal: new AbortController().signal,
      isReachable: async () => true,
      firstDelayMs: 1,
      send: async ({ sopUid }) => {
        alone.push(sopUid)
        return { outcome: 'stored' as const }
      },
      onBytes: (one, count) => bytes.set(one.sopUid, count),
      onSent: ({ sopUid }) => sent.push(sopUid),
      together: {
        sizeOf: ({ file }) => file.size,
        send: (some, terms) => sendTogether(some, 'n', { sid: 's', ...terms }),
      },
    })
    return { done, alone, sent, bytes }
  }
  const names = Array.from({ length: 400 }, (_, k) => `1.2.1.${k + 1}`)

  test('sends most of them several at a time, and each once', async () => {
    const { done, alone, sent } = run(names.map((name) => makeFile(name)))
    expect(await done).toEqual({ failed: [], unsent: [], stoppedBy: undefined })
    expect(sent.toSorted()).toEqual(names.toSorted())
    const together = store.requests.flatMap(({ parts }) => parts)
    expect([...together, ...alone].toSorted()).toEqual(names.toSorted())
    expect(together.length).toBeGreaterThan(0)
    expect(Math.max(...store.requests.map(({ parts }) => parts.length))).toBeLessThanOrEqual(16)
  })

  test('sends those that did not arrive with others by themselves, where the reason is told', async () => {
    store.refuses = new Set(names.filter((_name, at) => at % 7 === 0))
    const { done, alone, sent } = run(names.map((name) => makeFile(name)))
    expect((await done).failed).toEqual([])
    expect(sent.toSorted()).toEqual(names.toSorted())
    expect(alone).toEqual(expect.arrayContaining([...store.refuses]))
  })

  test('goes on file by file where nobody takes several', async () => {
    store.status = 503
    const { done, alone, sent } = run(names.map((name) => makeFile(name)))
    expect((await done).failed).toEqual([])
    expect(alone.toSorted()).toEqual(names.toSorted())
    expect(sent.toSorted()).toEqual(names.toSorted())
  })

  test('sends large files by themselves', async () => {
    const large = names.slice(0, 3).map((name) => makeFile(name, 'x'.repeat(2 * 1024 * 1024)))
    const { done, alone } = run([...names.slice(3).map((name) => makeFile(name)), ...large])
    await done
    expect(alone).toEqual(expect.arrayContaining(names.slice(0, 3)))
  })
})
