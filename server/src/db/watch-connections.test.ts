import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ConnectionEvent, watchNewConnections } from './watch-connections.ts'

let folder: string
const closers: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hilum-watch-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** A server at PostgreSQL's socket that answers a start-up message as it is told to. */
async function openFake(answer: (socket: Socket) => void, { hangsUp = true } = {}) {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: !hangsUp }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', () => answer(socket))
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
}

/** An ErrorResponse of the protocol. */
function refusal(state: string, words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${words}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
}

/** AuthenticationOk, and ReadyForQuery. */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

function watch(isStopping = false) {
  const told: (string | undefined)[][] = []
  let pid = 1
  const startAnew = vi.fn(async () => {
    pid += 1
  })
  const watched = watchNewConnections(
    {
      url: `postgresql://hilum@localhost/hilum?host=${encodeURIComponent(folder)}`,
      own: { pid: () => pid, isStopping: () => isStopping, startAnew },
    },
    { tell: (event: ConnectionEvent, fault) => told.push([event, fault]), everyMs: 5, patienceMs: 100 },
  )
  closers.push(() => watched.close())
  return { told, startAnew, watched }
}

it('starts a database anew that was told to stop, at the first refusal', async () => {
  await openFake((socket) => socket.end(refusal('57P03', 'the database system is shutting down')))
  const { told, startAnew, watched } = watch(true)
  await vi.waitFor(() => expect(startAnew).toHaveBeenCalled())
  expect(told.slice(0, 2)).toEqual([
    ['takes no new connections', 'the database system is shutting down'],
    ['is started anew', 'the database system is shutting down'],
  ])
  expect(watched.fault()).toBe('the database system is shutting down')
})

it('waits for what passes by itself, telling each reason once, and when it is over', async () => {
  const refusals = [
    ['57P03', 'the database system is starting up'],
    ['53300', 'sorry, too many clients already'],
  ] as const
  let asked = 0
  await openFake((socket) => {
    const [state, words] = refusals[Math.floor(asked++ / 10)] ?? []
    if (state === undefined) socket.write(welcome)
    else socket.end(refusal(state, words ?? ''))
  })
  const { told, startAnew, watched } = watch()
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['takes new connections again', undefined]))
  expect(told.map(([, fault]) => fault)).toEqual([...refusals.map(([, words]) => words), undefined])
  expect(startAnew).not.toHaveBeenCalled()
  expect(watched.fault()).toBeUndefined()
})

it('starts a database anew whose socket is gone, or that answers nothing for a while', async () => {
  const gone = watch()
  await vi.waitFor(() => expect(gone.startAnew).toHaveBeenCalled())
  expect(gone.told[0]?.[1]).toContain('ENOENT')
  await gone.watched.close()
  await openFake(() => undefined)
  const silent = watch()
  await vi.waitFor(() => expect(silent.startAnew).toHaveBeenCalled())
  expect(silent.told.map(([event]) => event).slice(0, 2)).toEqual(['takes no new connections', 'is started anew'])
})

it('takes a database for silent that hangs once the connection is made', async () => {
  await openFake((socket) => socket.write(welcome), { hangsUp: false })
  const { told, startAnew } = watch()
  await vi.waitFor(() => expect(startAnew).toHaveBeenCalled(), { timeout: 10_000 })
  expect(told[0]).toEqual(['takes no new connections', 'The database has said nothing for 0.1 s'])
})

it('only tells of a database that is not ours to start', async () => {
  const told: ConnectionEvent[] = []
  const url = `postgresql://hilum@localhost/hilum?host=${encodeURIComponent(folder)}`
  const watched = watchNewConnections({ url }, { tell: (event) => told.push(event), everyMs: 1 })
  closers.push(() => watched.close())
  await vi.waitFor(() => expect(watched.fault()).toContain('ENOENT'))
  await openFake((socket) => socket.write(welcome))
  await vi.waitFor(() => expect(told).toEqual(['takes no new connections', 'takes new connections again']))
})

it('leaves a database alone whom only this process cannot ask, for want of files, ports or memory', async () => {
  await openFake((socket) => socket.write(welcome))
  const { told, startAnew, watched } = watch()
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function fail(this: Socket) {
    const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
    setImmediate(() => this.destroy(error))
    return this
  })
  await vi.waitFor(() => expect(connect.mock.calls.length).toBeGreaterThan(12))
  expect(startAnew).not.toHaveBeenCalled()
  expect(watched.fault()).toContain('EMFILE')
  connect.mockRestore()
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['takes new connections again', undefined]))
})
