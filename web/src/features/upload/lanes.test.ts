import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { UploadGate } from './gate.ts'
import { runLanes } from './lanes.ts'
import { watchForServer } from './lost-line.ts'
import { sendImage } from './send-image.ts'

interface Item {
  file: File
  studyUid: string
}
const makeItem = (name: string, sizeBytes = 100): Item => ({
  file: new File([new Uint8Array(sizeBytes)], name),
  studyUid: '1.2',
})

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

type Answer = (name: string, attempt: number, reply: ServerResponse) => void
const accept = (reply: ServerResponse) => {
  reply.writeHead(202, { 'content-type': 'application/json' })
  reply.end(JSON.stringify({ study_uid: '1.2', image_uid: '1', image_version: '1', namespace: 'n', attr: {} }))
}
const refuse = (reply: ServerResponse, status: number, type: string) => {
  reply.writeHead(status, { 'content-type': 'application/json' })
  reply.end(JSON.stringify({ status: 'ERROR', error_type: type }))
}

/** A real storage listener that answers by `answer`; counts the attempts for each file. */
async function startServer(answer: Answer) {
  const attempts = new Map<string, number>()
  let underWay = 0
  let mostUnderWay = 0
  async function handle(request: IncomingMessage, reply: ServerResponse) {
    mostUnderWay = Math.max(mostUnderWay, ++underWay)
    const name = decodeURIComponent(String(request.headers['x-file-name']))
    const attempt = (attempts.get(name) ?? 0) + 1
    attempts.set(name, attempt)
    for await (const chunk of request) void chunk
    reply.once('close', () => underWay--)
    answer(name, attempt, reply)
  }
  server = createServer((request, reply) => void handle(request, reply))
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const page = window as unknown as { happyDOM: { setURL(url: string): void } } // the page lives on the same server
  page.happyDOM.setURL(`http://127.0.0.1:${port}/study/upload`)
  return { attempts, mostUnderWay: () => mostUnderWay }
}

function run(
  items: Item[],
  {
    gate = new UploadGate(),
    signal = new AbortController().signal,
    isReachable = async () => true,
    firstRoomMs = 1,
  } = {},
) {
  const sent: string[] = []
  const bytes = new Map<string, number>()
  const done = runLanes(items, {
    gate,
    signal,
    isReachable,
    firstDelayMs: 1,
    firstRoomMs,
    send: (item, terms) => sendImage({ ...item, namespace: 'n' }, { sid: 's', ...terms }),
    onBytes: (item, sentBytes) => bytes.set(item.file.name, sentBytes),
    onSent: (item) => sent.push(item.file.name),
  })
  return { done, sent, bytes }
}

describe('sending over four lanes', () => {
  test('[UPLOAD-13] sends all, at most four at a time', async () => {
    // none of the first is answered before four are under way
    const held: ServerResponse[] = []
    const { mostUnderWay } = await startServer((_name, _attempt, reply) => {
      held.push(reply)
      if (held.length === 4) for (const one of held) setTimeout(() => accept(one), 5)
      if (held.length > 4) setTimeout(() => accept(reply), 5)
    })
    const items = Array.from({ length: 20 }, (_, k) => makeItem(`f${k}`))
    const { done, sent, bytes } = run(items)
    expect(await done).toEqual({ failed: [], unsent: [], stoppedBy: undefined })
    expect(sent).toHaveLength(20)
    expect(mostUnderWay()).toBe(4)
    expect(bytes.get('f7')).toBe(100)
  })

  test('[UPLOAD-13] a file that fails four times arrives with the fifth try', async () => {
    const { attempts } = await startServer((name, attempt, reply) =>
      name === 'weak' && attempt < 5 ? refuse(reply, 503, 'BUSY') : accept(reply),
    )
    const { done, sent } = run([makeItem('weak'), makeItem('strong')])
    expect((await done).failed).toEqual([])
    expect(sent.sort()).toEqual(['strong', 'weak'])
    expect(attempts.get('weak')).toBe(5)
  })

  test('[UPLOAD-14] after five tries a file has failed, with the reason, and its siblings have arrived', async () => {
    const { attempts } = await startServer((name, _attempt, reply) =>
      name === 'bad' ? refuse(reply, 500, 'BROKEN') : accept(reply),
    )
    const { done, sent, bytes } = run([makeItem('a'), makeItem('bad'), makeItem('b')])
    const { failed } = await done
    expect(failed.map(({ item, fault }) => [item.file.name, fault.kind, fault.status, fault.detail])).toEqual([
      ['bad', 'server', 500, 'BROKEN'],
    ])
    expect(sent.sort()).toEqual(['a', 'b'])
    expect(attempts.get('bad')).toBe(5)
    expect(bytes.get('bad')).toBe(0)
  })

  test('of files under way when the line is renewed those that still send begin anew, and one that waits for its answer does not', async () => {
    const gate = new UploadGate()
    const tries: Record<string, number> = {}
    const answer = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const done = runLanes(['sends', 'waits'], {
      gate,
      signal: new AbortController().signal,
      isReachable: async () => true,
      firstDelayMs: 1,
      send: async (name, { signal, onGone }) => {
        tries[name] = (tries[name] ?? 0) + 1
        if (name === 'waits') onGone()
        const stopped = Promise.withResolvers<never>()
        signal.addEventListener('abort', () => stopped.reject(signal.reason), { once: true })
        if (tries.sends && tries.waits) begun.resolve()
        await Promise.race([tries.sends === 2 ? undefined : answer.promise, stopped.promise])
      },
      onBytes: () => undefined,
      onSent: () => undefined,
    })
    await begun.promise
    gate.renew()
    await expect.poll(() => tries).toEqual({ sends: 2, waits: 1 })
    answer.resolve()
    expect((await done).failed).toEqual([])
    expect(tries).toEqual({ sends: 2, waits: 1 })
  })

  test('a pause ends a request that waits for its answer, also after the line was renewed', async () => {
    const gate = new UploadGate()
    let tries = 0
    const begun = Promise.withResolvers<void>()
    const done = runLanes(['waits'], {
      gate,
      signal: new AbortController().signal,
      isReachable: async () => true,
      firstDelayMs: 1,
      send: async (_name, { signal, onGone }) => {
        onGone()
        if (++tries === 2) return
        begun.resolve()
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
      onBytes: () => undefined,
      onSent: () => undefined,
    })
    await begun.promise
    gate.renew()
    gate.hold('paused')
    gate.release('paused')
    expect((await done).failed).toEqual([])
    expect(tries).toBe(2)
  })

  test('a file that the server refuses is not tried again', async () => {
    const { attempts } = await startServer((_name, _attempt, reply) => refuse(reply, 415, 'NOT_DICOM'))
    const { failed } = await run([makeItem('junk')]).done
    expect(failed[0]?.fault).toMatchObject({ kind: 'refused', detail: 'NOT_DICOM' })
    expect(attempts.get('junk')).toBe(1)
  })

  test('one file that the virus scanner refuses stops no other', async () => {
    const found = {
      kind: { code: 21, readable_status: 'VIRUS_DETECTED' },
      message: 'The virus scanner refused the file',
      exception_data: {},
      created: 1,
      extended: null,
    }
    const { attempts } = await startServer((name, _attempt, reply) => {
      if (name !== 'evil') return accept(reply)
      reply.writeHead(403, { 'content-type': 'application/json' })
      reply.end(JSON.stringify(found))
    })
    const { done, sent } = run([makeItem('evil'), ...Array.from({ length: 12 }, (_, k) => makeItem(`f${k}`))])
    const { failed, stoppedBy } = await done
    expect(stoppedBy).toBeUndefined()
    expect(failed.map(({ item, fault }) => [item.file.name, fault.kind, fault.detail])).toEqual([
      ['evil', 'refused', found.message],
    ])
    expect([sent.length, attempts.get('evil')]).toEqual([12, 1])
  })

  test('a fault that every file would meet stops the rest at once', async () => {
    const { attempts } = await startServer((_name, _attempt, reply) => refuse(reply, 412, 'NOT_PERMITTED'))
    const result = await run(Array.from({ length: 50 }, (_, k) => makeItem(`f${k}`))).done
    expect(result.stoppedBy?.kind).toBe('not-permitted')
    expect(result.unsent).toHaveLength(50)
    expect(attempts.size).toBeLessThanOrEqual(8)
  })

  test('a server that is gone is told as such', async () => {
    await startServer((_name, _attempt, reply) => reply.destroy())
    const result = await run([makeItem('f')]).done
    expect(result.stoppedBy?.kind).toBe('unreachable')
  })

  test('an ended session holds all lanes; after the sign-in everything arrives', async () => {
    let isSignedIn = false
    await startServer((_name, _attempt, reply) => (isSignedIn ? accept(reply) : refuse(reply, 401, 'EXPIRED')))
    const held = Promise.withResolvers<void>()
    const gate = new UploadGate((reason) => reason === 'signed-out' && held.resolve())
    const { done, sent } = run([makeItem('a'), makeItem('b'), makeItem('c')], { gate })
    await held.promise
    expect(sent).toEqual([])
    isSignedIn = true
    gate.release('signed-out')
    expect((await done).failed).toEqual([])
    expect(sent).toHaveLength(3)
  })

  test('a 403 of the storage for a session that has ended waits for a sign-in too', async () => {
    let isSignedIn = false
    await startServer((name, _attempt, reply) => {
      if (isSignedIn) accept(reply)
      else if (name === 'undefined') refuse(reply, 412, 'EXPIRED')
      else refuse(reply, 403, 'Access is denied')
    })
    const held = Promise.withResolvers<void>()
    const gate = new UploadGate((reason) => reason === 'signed-out' && held.resolve())
    const { done, sent } = run([makeItem('a')], { gate })
    await held.promise
    isSignedIn = true
    gate.release('signed-out')
    expect((await done).stoppedBy).toBeUndefined()
    expect(sent).toEqual(['a'])
  })

  test.each([
    ['breaks the connection off', (reply: ServerResponse) => reply.destroy()],
    ['answers by a gateway that finds nobody', (reply: ServerResponse) => refuse(reply, 502, 'Bad Gateway')],
    ['is not ready', (reply: ServerResponse) => refuse(reply, 503, 'UNAVAILABLE')],
  ])('[UPLOAD-13] a server that %s is waited for, as long as it takes, without using tries up', async (_how, fail) => {
    let looks = 0
    // more looks than there are tries
    const isReady = async () => ++looks > 12
    await startServer((_name, _attempt, reply) => (looks > 12 ? accept(reply) : fail(reply)))
    const reasons: unknown[] = []
    const gate = new UploadGate((reason) => reasons.push(reason))
    const isReachable = watchForServer(gate, new AbortController().signal, { isReady, firstLookMs: 1 })
    const { done, sent } = run([makeItem('a'), makeItem('b')], { gate, isReachable })
    const { stoppedBy, failed } = await done
    expect([stoppedBy, failed]).toEqual([undefined, []])
    expect(sent.toSorted()).toEqual(['a', 'b'])
    expect(reasons[0]).toBe('offline')
    expect(reasons.at(-1)).toBeUndefined()
  })

  const noRoom = (reply: ServerResponse) => refuse(reply, 507, 'The disk of the server is full')

  test('[UPLOAD-13] a server without room is waited for, as long as it takes, by one file that is tried again', async () => {
    let refusals = 0
    // more refusals than there are tries
    const { attempts } = await startServer((_name, _attempt, reply) =>
      ++refusals > 20 ? accept(reply) : noRoom(reply),
    )
    const reasons: unknown[] = []
    const gate = new UploadGate((reason) => reasons.push(reason))
    const items = Array.from({ length: 30 }, (_, k) => makeItem(`f${k}`))
    const { done, sent } = run(items, { gate })
    const { stoppedBy, failed, unsent } = await done
    expect([stoppedBy, failed, unsent]).toEqual([undefined, [], []])
    expect(sent).toHaveLength(30)
    // said once, as long as it lasts, and taken back
    expect(reasons).toEqual(['full', undefined])
    const triedAgain = [...attempts.values()].filter((tries) => tries > 2)
    expect(triedAgain).toHaveLength(1)
    expect(attempts.size).toBe(30)
  })

  test('a pause, and a lost line, go before the wait for room', async () => {
    let answer: (reply: ServerResponse) => void = noRoom
    let tries = 0
    await startServer((_name, _attempt, reply) => {
      tries++
      answer(reply)
    })
    const full = Promise.withResolvers<void>()
    const reasons: unknown[] = []
    const gate = new UploadGate((reason) => {
      reasons.push(reason)
      if (reason === 'full') full.resolve()
    })
    let isReady = true
    const isReachable = watchForServer(gate, new AbortController().signal, {
      isReady: async () => isReady,
      firstLookMs: 1,
    })
    const { done, sent } = run([makeItem('a'), makeItem('b')], { gate, isReachable })
    await full.promise
    gate.hold('paused')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = tries
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(tries).toBe(before)
    isReady = false
    answer = (reply) => reply.destroy()
    gate.release('paused')
    await expect.poll(() => reasons.at(-1)).toBe('offline')
    answer = accept
    isReady = true
    expect((await done).failed).toEqual([])
    expect([sent.toSorted(), gate.reason]).toEqual([['a', 'b'], undefined])
  })

  test('cancelling ends the wait for room', async () => {
    await startServer((_name, _attempt, reply) => noRoom(reply))
    const full = Promise.withResolvers<void>()
    const gate = new UploadGate((reason) => reason === 'full' && full.resolve())
    const cancel = new AbortController()
    const { done } = run([makeItem('a'), makeItem('b')], { gate, signal: cancel.signal, firstRoomMs: 60_000 })
    await full.promise
    cancel.abort(new Error('cancelled'))
    await expect(done).rejects.toThrow('cancelled')
  })

  test('a file that is refused for another reason ends the wait for room', async () => {
    let refusals = 0
    await startServer((name, _attempt, reply) => {
      if (++refusals <= 3) noRoom(reply)
      else if (name === 'bad') refuse(reply, 415, 'NOT_DICOM')
      else accept(reply)
    })
    const { done, sent } = run([makeItem('bad'), makeItem('good')])
    const { failed } = await done
    expect(failed.map(({ item }) => item.file.name)).toEqual(['bad'])
    expect(sent).toEqual(['good'])
  })

  test('one file at which a server that is there breaks off is tried five times, and held up no longer', async () => {
    const { attempts } = await startServer((name, _attempt, reply) =>
      name === 'bad' ? reply.destroy() : accept(reply),
    )
    const gate = new UploadGate()
    const isReady = async () => true
    const isReachable = watchForServer(gate, new AbortController().signal, { isReady })
    const { stoppedBy } = await run([makeItem('bad')], { gate, isReachable }).done
    expect(stoppedBy).toMatchObject({ kind: 'unreachable' })
    expect(attempts.get('bad')).toBe(5)
  })

  test('a pause stops what is under way, and going on sends it', async () => {
    let answerNow = false
    const arrived = Promise.withResolvers<void>()
    await startServer((_name, _attempt, reply) => {
      if (answerNow) accept(reply)
      else arrived.resolve()
    })
    const gate = new UploadGate()
    const { done, sent } = run([makeItem('slow')], { gate })
    await arrived.promise
    gate.hold('paused')
    answerNow = true
    gate.release('paused')
    await done
    expect(sent).toEqual(['slow'])
  })

  test('cancelling ends it with the reason', async () => {
    const arrived = Promise.withResolvers<void>()
    await startServer(() => arrived.resolve())
    const cancel = new AbortController()
    const { done } = run([makeItem('a')], { signal: cancel.signal })
    await arrived.promise
    cancel.abort(new Error('cancelled'))
    await expect(done).rejects.toThrow('cancelled')
  })

  test('[UPLOAD-15] a large file arrives whole and counts with all its bytes', async () => {
    await startServer((_name, _attempt, reply) => accept(reply))
    const { done, bytes } = run([makeItem('large', 3 * 1024 * 1024)])
    expect((await done).failed).toEqual([])
    expect(bytes.get('large')).toBe(3 * 1024 * 1024)
  })
})
