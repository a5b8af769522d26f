import type { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { expect, it } from 'vitest'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { findStudies } from './find-studies.ts'
import { probePeer } from './probe-peer.ts'
import { retrieveFromPeer } from './retrieve-study.ts'
import { echoPeer } from './send-instances.ts'

const scripted = await startScriptedPeer()
const peer = { host: '127.0.0.1', port: scripted.port, calledTitle: 'PEER', callingTitle: 'HILUM' }
const { signal } = new AbortController()
const nothing = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  description: '',
  modality: '',
  firstDate: '',
  lastDate: '',
}
const retrieval = (method: 'auto' | 'move' | 'get') =>
  retrieveFromPeer(peer, {
    studyUid: '1.2.3',
    method,
    ownTitle: 'HILUM',
    messageId: 1,
    signal,
    onObject: async () => ({ status: 0 }),
    onProgress: () => {},
  })

const requests: Record<string, () => Promise<unknown>> = {
  echo: () => echoPeer(peer),
  search: () => findStudies(peer, nothing, { maxStudies: 10, signal }),
  probe: () => probePeer(peer, ['echo', 'search', 'worklist', 'retrieve', 'store'], signal),
  'retrieval by any way': () => retrieval('auto'),
  'retrieval by C-MOVE': () => retrieval('move'),
  'retrieval by C-GET': () => retrieval('get'),
}

it.each(Object.keys(requests))('ends the association of a %s that the peer does not serve', async (name) => {
  scripted.script = { classes: [] }
  const before = scripted.open
  // a probe tells the refusal of each step in its results
  const code = await requests[name]?.().then(
    () => 'not-accepted',
    (error: DimseError) => error.code,
  )
  expect(code).toBe('not-accepted')
  await expect.poll(() => scripted.open).toBe(before)
})
