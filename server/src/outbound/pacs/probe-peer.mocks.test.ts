import { expect, it, vi } from 'vitest'
import { probePeer } from './probe-peer.ts'

// a peer that takes the association and is gone before the first request
vi.mock('@hilum/dicom/dimse/request-association', () => ({
  requestAssociation: async () => ({ isOpen: false, contexts: new Map(), release: async () => {}, abort: () => {} }),
}))

it('takes no peer for answering that ended the association before it was asked', async () => {
  const peer = { host: '127.0.0.1', port: 1, calledTitle: 'PEER', callingTitle: 'HILUM' }
  expect(await probePeer(peer, ['echo', 'search'])).toEqual([
    { step: 'connect', outcome: 'ok', message: '' },
    { step: 'echo', outcome: 'failed', message: 'The peer ended the association' },
  ])
})
