import { expect, it } from 'vitest'
import { pduNames } from './pdu.ts'
import { type AssociationState, moveOf } from './states.ts'

it('[DIMSE] answers each PDU in each state as PS3.8 table 9-10 does', () => {
  const states: AssociationState[] = ['awaiting-request', 'deciding', 'awaiting-answer', 'open', 'releasing', 'closing']
  const pdus = [...Object.values(pduNames), undefined]
  const table = Object.fromEntries(
    states.map((state) => [state, pdus.map((pdu) => `${moveOf(state, pdu).act} → ${moveOf(state, pdu).next}`)]),
  )
  const [abort, ignore, stop] = ['abort → closing', 'ignore → closing', 'stop → closing']
  //                   rq, ac, rj, data, release-rq, release-rp, abort, unknown
  expect(table).toEqual({
    'awaiting-request': ['take → deciding', abort, abort, abort, abort, abort, stop, abort],
    deciding: [abort, abort, abort, abort, abort, abort, stop, abort],
    'awaiting-answer': [abort, 'take → open', 'take → closing', abort, abort, abort, stop, abort],
    open: [abort, abort, abort, 'take → open', 'confirm-release → closing', abort, stop, abort],
    releasing: [
      abort,
      abort,
      abort,
      'ignore → releasing',
      'confirm-release → releasing',
      'finish-release → closing',
      stop,
      abort,
    ],
    closing: [abort, ignore, ignore, ignore, ignore, ignore, ignore, abort],
  })
})
