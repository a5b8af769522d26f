import type { PduName } from './pdu.ts'

/**
 * Where an association stands; the numbers of PS3.8 §9.2.1 in brackets. Connecting and waiting for the user's word are
 * not states here: the code that does so reads nothing meanwhile.
 */
export type AssociationState =
  | 'awaiting-request' // (2) connected, nothing asked yet
  | 'deciding' // (3) asked, our answer is due
  | 'awaiting-answer' // (5) we asked
  | 'open' // (6)
  | 'releasing' // (7, 9–12) we asked for the release
  | 'closing' // (13) the connection is about to end

/** The act on a PDU. `take`: hand it up. `stop`: the peer has ended the association. `ignore`: read over it. */
type AssociationAct = 'take' | 'confirm-release' | 'finish-release' | 'stop' | 'ignore' | 'abort'
type Move = { act: AssociationAct; next: AssociationState }

const over: Move = { act: 'stop', next: 'closing' }
const take = (next: AssociationState): Move => ({ act: 'take', next })

/** PS3.8 table 9-10 for what the peer sends. Events that are not listed are answered by an abort. */
const moves: Record<AssociationState, Partial<Record<PduName, Move>>> = {
  'awaiting-request': { 'associate-rq': take('deciding'), abort: over },
  deciding: { abort: over },
  'awaiting-answer': { 'associate-ac': take('open'), 'associate-rj': take('closing'), abort: over },
  open: { data: take('open'), 'release-rq': { act: 'confirm-release', next: 'closing' }, abort: over },
  releasing: {
    data: { act: 'ignore', next: 'releasing' },
    // both asked at once: each confirms the other's and waits for its own confirmation
    'release-rq': { act: 'confirm-release', next: 'releasing' },
    'release-rp': { act: 'finish-release', next: 'closing' },
    abort: over,
  },
  closing: Object.fromEntries(
    (['associate-ac', 'associate-rj', 'data', 'release-rq', 'release-rp', 'abort'] as const).map((name) => [
      name,
      { act: 'ignore', next: 'closing' },
    ]),
  ),
}

/** The move that a PDU makes; an unknown one has no name. */
export function moveOf(state: AssociationState, pdu: PduName | undefined): Move {
  return (pdu && moves[state][pdu]) ?? { act: 'abort', next: 'closing' }
}
