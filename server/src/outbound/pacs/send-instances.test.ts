import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import { ContextResult } from '@hilum/dicom/dimse/association-pdu'
import { createAssociationListener } from '@hilum/dicom/dimse/listener'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { createRenderPool } from '@hilum/dicom/render/pool'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitBigEndian, ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OutgoingInstance } from './outgoing-instance.ts'
import { sendInstances } from './send-instances.ts'

const sopClass = '1.2.840.10008.5.1.4.1.1.7'
const mpeg2 = '1.2.840.10008.1.2.4.100'
const taken = [ExplicitLittleEndian, ImplicitLittleEndian]

/** A peer that takes uncompressed images only, and counts the associations that broke. */
let broken = 0
const peer = createAssociationListener(async ({ association }) => {
  try {
    const choose = ({ transferSyntaxes }: { transferSyntaxes: readonly string[] }) =>
      transferSyntaxes.find((one) => taken.includes(one)) ?? ContextResult.UnknownSyntaxes
    await acceptAssociation(association, { refuse: async () => undefined, choose })
    for (;;) {
      const message = await association.receive()
      if (!message) return
      for await (const _ of message.data ?? []) continue
      await reply(association, message, { status: Status.Success })
    }
  } catch {
    broken += 1
  }
})
const folder = await mkdtemp(join(tmpdir(), 'hilum-send-'))
const render = createRenderPool({ size: 1 })
beforeAll(async () => {
  peer.server.listen(0, '127.0.0.1')
  await once(peer.server, 'listening')
})
afterAll(async () => {
  await peer.close()
  await render.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeInstance(transferSyntax: string): Promise<OutgoingInstance> {
  const sopInstance = newUid()
  const bytes = writePart10(
    [
      { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopInstance },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
      ...pixelElements({ rows: 4, columns: 4 }, new Uint8Array(16)),
    ],
    transferSyntax,
  )
  const path = join(folder, sopInstance)
  await writeFile(path, bytes)
  const open = async function* () {
    yield bytes
  }
  return {
    sopClass,
    sopInstance,
    transferSyntax,
    open,
    useFile: (use) => use({ path, offset: 0, length: bytes.length }),
  }
}

it('what a peer does not take and what has no other form fails with both reasons, and holds up nothing else', async () => {
  const { port } = peer.server.address() as AddressInfo
  const instances = [
    await makeInstance(mpeg2),
    await makeInstance(ExplicitLittleEndian),
    await makeInstance(ExplicitBigEndian),
    await makeInstance(ImplicitLittleEndian),
  ]
  const outcomes = await sendInstances(
    { host: '127.0.0.1', port, calledTitle: 'PEER', callingTitle: 'HILUM' },
    instances,
    { render, parallel: 1 },
  )
  expect(outcomes.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['failed', expect.stringMatching(/does not take MPEG2.*cannot be sent in another syntax.*is a video/)],
    ['stored', ''],
    ['failed', expect.stringMatching(/does not take Explicit VR Big Endian.*cannot be sent in another syntax/)],
    ['stored', ''],
  ])
  expect(broken).toBe(0)
})
