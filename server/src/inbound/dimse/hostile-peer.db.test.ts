import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Association } from '@hilum/dicom/dimse/association'
import { encodeRequest } from '@hilum/dicom/dimse/association-pdu'
import { CommandField, encodeCommand } from '@hilum/dicom/dimse/command'
import { defaultListenerLimits } from '@hilum/dicom/dimse/listener'
import { encodeFragmentHeader } from '@hilum/dicom/dimse/pdu'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { store } from '@hilum/dicom/dimse/services'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from './open-dicom-listener.ts'

const SOP_CLASS = '1.2.840.10008.5.1.4.1.1.7'
const TITLE = 'HOSTILE'
const MAX_HALF_OPEN = 20
const MAX_ASSOCIATIONS = 6

const { services, query } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services, {
  ...defaultListenerLimits,
  // long enough for honest peers on a busy machine
  stallMs: 3_000,
  maxHalfOpen: MAX_HALF_OPEN,
  maxAssociationsPerAddress: MAX_ASSOCIATIONS,
})
afterAll(() => listeners.close())
const { namespaceUuid } = await (await makeOrganisation(services.db)).addGroup()
await putSetting(services.db, 'namespace', namespaceUuid, aeTitleSetting, TITLE)
const proposals = [{ abstractSyntax: SOP_CLASS, transferSyntaxes: [ExplicitLittleEndian] }]
const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: TITLE, callingTitle: 'PEER' }
const request = encodeRequest({
  ...peer,
  contexts: [{ id: 1, ...(proposals[0] as (typeof proposals)[0]) }],
  maxPduBytes: 16_384,
  roles: [],
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: listeners.port })
  sockets.push(socket)
  socket.on('error', () => undefined)
  // answers of the listener are of no interest, but must not fill a buffer
  socket.resume()
  await once(socket, 'connect')
  return socket
}

/** A small image, as a data set. */
function makeImage(): { sopInstance: string; data: Uint8Array } {
  const sopInstance = newUid()
  const file = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: SOP_CLASS },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopInstance },
    { tag: Tag.PatientName, vr: 'PN', value: 'HOSTILE^NO' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(40_000) },
  ])
  return { sopInstance, data: file.subarray(writeMeta(SOP_CLASS, sopInstance, ExplicitLittleEndian).length) }
}

async function storeOne(association: Association): Promise<number> {
  const [context] = association.contexts.values()
  if (!context) throw new Error('The context was not taken')
  const { sopInstance, data } = makeImage()
  async function* chunks() {
    yield data
  }
  return (await store(association, context, { sopClass: SOP_CLASS, sopInstance, data: chunks() })).status
}

/** Somebody who only wants to store an image. */
async function storeAsOther(): Promise<number> {
  const association = await requestAssociation(peer, proposals)
  const status = await storeOne(association)
  await association.release()
  return status
}

function beginStore(sopInstance: string): Buffer {
  const command = encodeCommand(
    {
      field: CommandField.StoreRequest,
      affectedSopClass: SOP_CLASS,
      affectedSopInstance: sopInstance,
      priority: 0,
      messageId: 1,
    },
    true,
  )
  return Buffer.concat([encodeFragmentHeader(1, { isCommand: true, isLast: true, length: command.length }), command])
}

function fragment(bytes: Uint8Array, isLast: boolean): Buffer {
  return Buffer.concat([encodeFragmentHeader(1, { isCommand: false, isLast, length: bytes.length }), bytes])
}

const countStored = async () => (await query<{ n: number }>(`select count(*)::integer as n from instance`))[0]?.n

describe('[DIMSE] a listener among hostile peers', () => {
  it('serves others while connections that never ask for anything come by the hundred', async () => {
    const half: Socket[] = []
    for (let wave = 0; wave < 4; wave += 1) {
      for (let count = 0; count < 50; count += 1) {
        const socket = await open()
        socket.write(request.subarray(0, 1 + count))
        half.push(socket)
      }
      expect(await storeAsOther()).toBe(0)
    }
    await expect.poll(() => half.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(MAX_HALF_OPEN)
    expect(await storeAsOther()).toBe(0)
  })

  it('refuses associations beyond its limit, keeps those that are open, and takes new ones when there is room', async () => {
    const associations: Association[] = []
    // associations of earlier tests may not have ended at the listener's end yet
    const openOne = () => requestAssociation(peer, proposals).catch(() => undefined)
    const openUntilFull = async () => {
      const association = await openOne()
      if (association) associations.push(association)
      return associations.length
    }
    await expect.poll(openUntilFull).toBe(MAX_ASSOCIATIONS)
    for (let count = 0; count < 20; count += 1)
      await expect(requestAssociation(peer, proposals)).rejects.toThrow('because it has too many associations')
    for (const association of associations) expect(await storeOne(association)).toBe(0)
    await associations.pop()?.release()
    const again = () => storeAsOther().catch(() => 'refused')
    await expect.poll(again).toBe(0)
    for (const association of associations) await association.release()
  })

  it('gives up a data set that comes byte by byte, and keeps nothing of it', async () => {
    const before = await countStored()
    const socket = await open()
    const { sopInstance, data } = makeImage()
    socket.write(Buffer.concat([request, beginStore(sopInstance), fragment(data.subarray(0, 64), false)]))
    const trickle = async () => {
      for (let at = 64; !socket.destroyed && at < data.length; at += 2) {
        socket.write(fragment(data.subarray(at, at + 2), false))
        await delay(20)
      }
    }
    const trickling = trickle()
    expect(await storeAsOther()).toBe(0)
    await trickling
    expect(socket.destroyed).toBe(true)
    expect(await countStored()).toBe((before ?? 0) + 1)
  })

  const lies: [string, (image: ReturnType<typeof makeImage>) => Buffer[]][] = [
    ['a data set that ends with the connection', ({ data }) => [fragment(data.subarray(0, 20_000), false)]],
    ['a PDU of 4 GB inside a data set', ({ data }) => [fragment(data.subarray(0, 100), false), pdu(0xffffffff)]],
    ['a PDU one byte longer than agreed', ({ data }) => [fragment(data.subarray(0, 100), false), pdu(131_073)]],
    ['a fragment longer than its PDU', () => [Buffer.from('04000000000a7fffffff01000000', 'hex')]],
    ['fragments of nothing without end', () => Array.from({ length: 5_000 }, () => fragment(new Uint8Array(), false))],
    [
      'a release inside a data set',
      ({ data }) => [fragment(data.subarray(0, 100), false), Buffer.from('05000000000400000000', 'hex')],
    ],
    ['a command inside a data set', ({ data }) => [fragment(data.subarray(0, 100), false), beginStore('1.2.3')]],
    [
      'a data set in another context',
      ({ data }) => [
        Buffer.concat([
          encodeFragmentHeader(3, { isCommand: false, isLast: true, length: 100 }),
          data.subarray(0, 100),
        ]),
      ],
    ],
    ['a command without end', () => Array.from({ length: 100 }, () => commandPiece(1024))],
  ]

  it.each(lies)('ends %s, keeps nothing of it and serves others', async (_name, tell) => {
    const before = await countStored()
    const other = await requestAssociation(peer, proposals)
    const socket = await open()
    const image = makeImage()
    socket.write(Buffer.concat([request, beginStore(image.sopInstance), ...tell(image)]))
    if (!socket.destroyed) socket.end()
    if (!socket.closed) await once(socket, 'close')
    expect(await storeOne(other)).toBe(0)
    await other.release()
    expect(await countStored()).toBe((before ?? 0) + 1)
  })
})

/** The head of a P-DATA-TF that claims so many bytes. */
function pdu(length: number): Buffer {
  const bytes = Buffer.from('040000000000', 'hex')
  bytes.writeUInt32BE(length, 2)
  return bytes
}

function commandPiece(length: number): Buffer {
  return Buffer.concat([encodeFragmentHeader(1, { isCommand: true, isLast: false, length }), Buffer.alloc(length)])
}
