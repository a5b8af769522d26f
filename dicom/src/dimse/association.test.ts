import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { acceptAssociation } from './accept-association.ts'
import { encodeRequest } from './association-pdu.ts'
import { CommandField, encodeCommand } from './command.ts'
import { DimseError, rejections } from './dimse-error.ts'
import {
  type AssociationListener,
  createAssociationListener,
  defaultListenerLimits,
  type ListenerLimits,
} from './listener.ts'
import { encodeFragmentHeader } from './pdu.ts'
import { requestAssociation } from './request-association.ts'
import { echo, reply, store, Verification } from './services.ts'

const ct = '1.2.840.10008.5.1.4.1.1.2'
const implicit = '1.2.840.10008.1.2'
const proposals = [
  { abstractSyntax: Verification, transferSyntaxes: [implicit] },
  { abstractSyntax: ct, transferSyntaxes: [implicit] },
]

const request = encodeRequest({
  calledTitle: 'NODE',
  callingTitle: 'TEST',
  contexts: proposals.map((one, index) => ({ id: 2 * index + 1, ...one })),
  maxPduBytes: 16_384,
  roles: [],
})
const fragment = (contextId: number, flags: { isCommand: boolean; isLast: boolean }, body: Buffer) =>
  Buffer.concat([encodeFragmentHeader(contextId, { ...flags, length: body.length }), body])

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

type Node = {
  port: number
  listener: AssociationListener
  stored: { hash: string; bytes: number }[]
  /** How often the last data set was handed on. */
  pieces: () => number
  errors: DimseError[]
}

/** A node that takes what it is sent and remembers its digest. */
async function startNode(limits: Partial<ListenerLimits> = {}): Promise<Node> {
  const stored: Node['stored'] = []
  const errors: DimseError[] = []
  let handedOn = 0
  const listener = createAssociationListener(
    async ({ association, admit }) => {
      const refuse = async () => (admit() ? undefined : rejections.tooManyAssociations)
      try {
        if (!(await acceptAssociation(association, { refuse, choose: (one) => one.transferSyntaxes[0] ?? 4 }))) return
        for (let message = await association.receive(); message; message = await association.receive()) {
          const hash = createHash('sha256')
          let bytes = 0
          handedOn = 0
          for await (const chunk of message.data ?? []) {
            handedOn += 1
            hash.update(chunk)
            bytes += chunk.length
          }
          if (message.data) stored.push({ hash: hash.digest('hex'), bytes })
          await reply(association, message, { status: 0 })
        }
      } catch (error) {
        errors.push(error as DimseError)
      }
    },
    { limits: { ...defaultListenerLimits, ...limits } },
  )
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  closers.push(() => listener.close())
  return { port: (listener.server.address() as AddressInfo).port, listener, stored, errors, pieces: () => handedOn }
}

const peerOf = (port: number) => ({ host: '127.0.0.1', port, calledTitle: 'NODE', callingTitle: 'TEST' })

async function* pieces(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  closers.push(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Everything that the node sends until it ends the connection. */
async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks)
}

describe('an association', () => {
  it('[DIMSE] carries an echo and objects of any size and piece, byte by byte', async () => {
    const node = await startNode()
    const association = await requestAssociation(peerOf(node.port), proposals)
    expect(await echo(association)).toEqual({ status: 0, comment: '' })
    const context = [...association.contexts.values()].find((one) => one.abstractSyntax === ct)
    if (!context) throw new Error('The context was not taken')
    const sizes = [2, 131_064, 131_066, 131_068, 400_000]
    for (const size of sizes) {
      const bytes = Buffer.alloc(size, size % 251)
      const data = pieces(bytes, 70_001)
      expect(await store(association, context, { sopClass: ct, sopInstance: '1.2.3', data })).toEqual({
        status: 0,
        comment: '',
      })
      const hash = createHash('sha256').update(bytes).digest('hex')
      expect(node.stored.at(-1)).toEqual({ hash, bytes: size })
    }
    await association.release()
    expect(node.errors).toEqual([])
  })

  it('goes on when an object fails before its first byte, and ends when it fails later', async () => {
    const node = await startNode()
    const association = await requestAssociation(peerOf(node.port), proposals)
    const context = [...association.contexts.values()].find((one) => one.abstractSyntax === ct)
    if (!context) throw new Error('The context was not taken')
    // oxlint-disable-next-line require-yield
    const failing = async function* (first: Buffer | undefined) {
      if (first) yield first
      throw new RangeError('gone')
    }
    const send = (data: AsyncIterable<Uint8Array>) =>
      store(association, context, { sopClass: ct, sopInstance: '1.2.3', data })
    await expect(send(failing(undefined))).rejects.toThrow('gone')
    expect(await send(pieces(Buffer.alloc(10), 10))).toMatchObject({ status: 0 })
    await expect(send(failing(Buffer.alloc(500_000)))).rejects.toThrow('gone')
    expect(association.isOpen).toBe(false)
    await expect.poll(() => node.errors.map((error) => error.code)).toEqual(['aborted'])
    expect(node.stored).toHaveLength(1)
  })

  it('closes an object whose sending ends before its last byte', async () => {
    const node = await startNode()
    const association = await requestAssociation(peerOf(node.port), proposals)
    const context = [...association.contexts.values()].find((one) => one.abstractSyntax === ct)
    if (!context) throw new Error('The context was not taken')
    let isClosed = false
    const data = async function* () {
      try {
        for (let piece = 0; ; piece += 1) {
          if (piece === 5) association.abort()
          yield Buffer.alloc(200_000)
        }
      } finally {
        isClosed = true
      }
    }
    const sent = store(association, context, { sopClass: ct, sopInstance: '1.2.3', data: data() })
    await expect(sent).rejects.toThrow(DimseError)
    expect(isClosed).toBe(true)
  })

  it('hands fragments on together that came together', async () => {
    const node = await startNode()
    const socket = await open(node.port)
    const command = {
      field: CommandField.StoreRequest,
      affectedSopClass: ct,
      affectedSopInstance: '1.2.3',
      messageId: 1,
    }
    const fragments = Array.from({ length: 20 }, (_, index) =>
      fragment(3, { isCommand: false, isLast: index === 19 }, Buffer.alloc(500, index)),
    )
    const encoded = encodeCommand(command, true)
    socket.write(Buffer.concat([request, fragment(3, { isCommand: true, isLast: true }, encoded), ...fragments]))
    await expect.poll(() => node.stored).toMatchObject([{ bytes: 10_000 }])
    expect(node.pieces()).toBeLessThan(5)
    socket.destroy()
  })

  it('is refused in words', async () => {
    const node = await startNode({ maxAssociations: 1 })
    const first = await requestAssociation(peerOf(node.port), proposals)
    await expect(requestAssociation(peerOf(node.port), proposals)).rejects.toThrow(
      'because it has too many associations',
    )
    await first.release()
  })

  it('does not wait for ever for a peer that is silent', async () => {
    const node = await startNode({ idleMs: 50 })
    const association = await requestAssociation(peerOf(node.port), proposals)
    await expect.poll(() => node.errors.map((error) => error.code)).toEqual(['timeout'])
    await expect(echo(association)).rejects.toThrow(DimseError)
  })
})

describe('[DIMSE] a node that meets bad input', () => {
  const beforeOpening: [string, Buffer][] = [
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
    ['a release before anything', Buffer.from('05000000000400000000', 'hex')],
    ['a request of 4 GB', Buffer.from('0100ffffffff', 'hex')],
    [
      'a request with items that overrun it',
      Buffer.concat([Buffer.from('010000000048', 'hex'), Buffer.alloc(72, 0x10)]),
    ],
    ['an unknown PDU', Buffer.from('090000000000', 'hex')],
  ]
  const afterOpening: [string, Buffer][] = [
    ['an empty P-DATA', Buffer.from('040000000000', 'hex')],
    ['a P-DATA of 4 GB', Buffer.from('0400ffffffff', 'hex')],
    ['a fragment that overruns its PDU', Buffer.from('04000000000800000fff0103aabb', 'hex')],
    ['a fragment of length 0', Buffer.from('040000000006000000000103', 'hex')],
    ['a data set without a command', fragment(1, { isCommand: false, isLast: true }, Buffer.alloc(8))],
    ['a context that was not agreed', fragment(99, { isCommand: true, isLast: true }, Buffer.alloc(8))],
    ['a command that is none', fragment(1, { isCommand: true, isLast: true }, Buffer.alloc(30, 0xff))],
    ['a second request', request],
    ['an answer nobody waits for', Buffer.from('0300000000040001010100', 'hex').subarray(0, 10)],
  ]

  it.each(beforeOpening)('ends the connection after %s, with an abort', async (_name, bytes) => {
    const node = await startNode()
    const socket = await open(node.port)
    socket.write(bytes)
    const answer = await readToEnd(socket)
    expect(answer.toString('hex')).toMatch(/^07000000000400000[02]0[0-6]$/)
    expect(await answersEcho(node)).toBe(true)
  })

  it.each(afterOpening)('aborts the association after %s, and serves others', async (_name, bytes) => {
    const node = await startNode()
    const other = await requestAssociation(peerOf(node.port), proposals)
    const socket = await open(node.port)
    socket.write(Buffer.concat([request, bytes]))
    const answer = await readToEnd(socket)
    expect(answer[0]).toBe(2)
    expect(answer.subarray(-10).toString('hex')).toMatch(/^07000000000400000[02]0[0-6]$/)
    expect(await echo(other)).toMatchObject({ status: 0 })
    await other.release()
  })

  it.each([
    ['an alert of TLS', Buffer.from('15030100020246', 'hex'), 'The peer speaks TLS, and is called without it'],
    ['nothing', Buffer.alloc(0), 'The peer ended the connection without an answer. Perhaps it expects TLS'],
  ])('tells the caller whom %s answers that TLS may be missing', async (_name, bytes, words) => {
    const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(bytes)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(requestAssociation(peerOf(port), proposals)).rejects.toMatchObject({ code: 'lost', message: words })
  })

  it.each(['nothing', 'the beginning of an answer', 'a byte now and then'])(
    'tells the caller whom %s answers that the peer takes too long, and nothing of TLS',
    async (said) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume()
        // the head of an acceptance of 1,000 bytes, which never come whole
        if (said !== 'nothing') socket.write(Buffer.from([2, 0, 0, 0, 3, 232]))
        const ticks = said === 'a byte now and then' ? setInterval(() => socket.write(Buffer.from([0])), 20) : undefined
        socket.on('close', () => clearInterval(ticks))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      const limits = { negotiationMs: 60, idleMs: 1000, stallMs: 1000 }
      await expect(requestAssociation(peerOf(port), proposals, { limits })).rejects.toMatchObject({ code: 'timeout' })
    },
  )

  it('keeps 100 half-open connections from keeping others out', async () => {
    const node = await startNode({ maxHalfOpen: 20 })
    const half = await Promise.all(Array.from({ length: 100 }, () => open(node.port)))
    for (const socket of half) if (socket.writable) socket.write(request.subarray(0, 30))
    expect(await answersEcho(node)).toBe(true)
    await expect.poll(() => half.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(20)
  })

  it('ends a connection that asks for nothing', async () => {
    const node = await startNode({ negotiationMs: 50 })
    const socket = await open(node.port)
    socket.write(request.subarray(0, 30))
    await readToEnd(socket)
    await expect.poll(() => node.errors[0]?.code).toMatch(/^(lost|timeout)$/)
  })
})

async function answersEcho({ port }: Node): Promise<boolean> {
  const association = await requestAssociation(peerOf(port), proposals)
  const { status } = await echo(association)
  await association.release()
  return status === 0
}
