import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { HeldUp, UploadGate } from './gate.ts'
import { patienceMs, sendFile } from './send-file.ts'
import { watchForSilence } from './silent-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function start() {
  const gate = new UploadGate()
  const over = new AbortController()
  const server = { isThere: true, asked: 0, cleared: 0 }
  const said: boolean[] = []
  const move = watchForSilence({
    gate,
    signal: over.signal,
    onSilent: (isSilent) => said.push(isSilent),
    endDead: () => server.cleared++,
    isReady: async () => {
      server.asked++
      return server.isThere
    },
  })
  return { gate, over, server, said, move, wait: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000) }
}

test('while bytes move nobody asks for the server', async () => {
  const { server, said, move, wait } = start()
  for (let second = 0; second < 30; second++) {
    await wait(1)
    move()
  }
  expect(server.asked).toBe(0)
  expect(said).toEqual([])
})

test('a slow line whose server answers is not called silent, and its tries go on', async () => {
  const { gate, server, said, wait } = start()
  const tries = gate.renewal
  await wait(300)
  expect(server.asked).toBeGreaterThan(0)
  expect(said).toEqual([])
  expect(tries.aborted).toBe(false)
})

test('a server that does not answer is told within ten seconds, and the tries go on', async () => {
  const { gate, server, said, wait } = start()
  const tries = gate.renewal
  server.isThere = false
  await wait(9)
  expect(said).toEqual([true])
  await wait(60)
  expect(said).toEqual([true])
  expect(tries.aborted).toBe(false)
})

test('what moves again after a silence is not sent anew', async () => {
  const { gate, server, said, move, wait } = start()
  const tries = gate.renewal
  server.isThere = false
  await wait(20)
  server.isThere = true
  for (let second = 0; second < 60; second++) {
    await wait(5)
    move()
  }
  expect(said).toEqual([true, false])
  expect(server.cleared).toBe(1)
  expect(tries.aborted).toBe(false)
})

test('tries that a silence has killed are made anew once the server answers, each time after a longer wait', async () => {
  const { gate, server, said, wait } = start()
  for (const seconds of [12, 22]) {
    const tries = gate.renewal
    server.isThere = false
    await wait(20)
    server.isThere = true
    await wait(seconds - 4)
    expect(tries.aborted).toBe(false)
    await wait(4)
    expect(tries.reason).toBeInstanceOf(HeldUp)
    expect(gate.reason).toBeUndefined()
  }
  expect(said).toEqual([true, false, true, false])
})

test('a silence long after the last one is met as the first was', async () => {
  const { gate, server, move, wait } = start()
  for (let silence = 0; silence < 3; silence++) {
    const tries = gate.renewal
    server.isThere = false
    await wait(20)
    server.isThere = true
    await wait(16)
    expect(tries.aborted).toBe(true)
    for (let second = 0; second < 130; second++) {
      move()
      await wait(1)
    }
  }
})

test('for a while after a silence a request that stands still is made anew too, and later none is', async () => {
  const { gate, server, move, wait } = start()
  server.isThere = false
  await wait(20)
  server.isThere = true
  await wait(5)
  move()
  const soon = gate.renewal
  await wait(11)
  expect(soon.aborted).toBe(true)
  for (let second = 0; second < 120; second++) {
    move()
    await wait(1)
  }
  const later = gate.renewal
  await wait(100)
  expect(later.aborted).toBe(false)
})

test('an upload that is held up is not asked about, and none is once it is over', async () => {
  const { gate, over, server, said, wait } = start()
  server.isThere = false
  gate.hold('paused')
  await wait(60)
  expect(server.asked).toBe(0)
  gate.release('paused')
  over.abort()
  await wait(60)
  expect(server.asked).toBe(0)
  expect(said).toEqual([])
})

test('a large file is said to be gone once its last byte left, and a small one is not', async () => {
  const requests: FakeRequest[] = []
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = 202
    readonly responseText = '{}'
    open() {}
    setRequestHeader() {}
    abort() {}
    send() {
      requests.push(this)
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const gone: string[] = []
  const send = (name: string, sizeBytes: number) =>
    sendFile('/there', new File([new Uint8Array(sizeBytes)], name), {
      sid: 's',
      signal: new AbortController().signal,
      onBytes: () => undefined,
      onGone: () => gone.push(name),
    })
  const replies = [send('large', 1024 ** 2 + 1), send('small', 1024 ** 2)]
  expect(gone).toEqual([])
  for (const request of requests) request.upload.dispatchEvent(new Event('load'))
  expect(gone).toEqual(['large'])
  for (const request of requests) request.dispatchEvent(new Event('load'))
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([202, 202])
})

test('a large file has the time that its last bytes take on a slow line', () => {
  expect(patienceMs(0)).toBe(90_000)
  expect(patienceMs(512 * 1024)).toBe(154_000)
  expect(patienceMs(1024 ** 3)).toBe(patienceMs(1024 ** 2))
})
