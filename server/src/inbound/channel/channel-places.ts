import type { WebSocket } from 'ws'

/** How many live lines may be open at once. */
export type ChannelLimits = {
  all: number
  /** Of one person: ten sessions, each with several tabs. */
  ofPerson: number
  /** Lines that have not subscribed yet, so that nobody knows whose they are; one more ends the oldest. */
  nameless: number
}
export const defaultChannelLimits: ChannelLimits = { all: 5000, ofPerson: 100, nameless: 500 }

/** RFC 6455 §7.4.1 and its registry: try again later. */
const TRY_LATER = 1013
/** RFC 6455 §7.4.1: against a rule. */
const AGAINST_RULE = 1008

/** One line's place among all. */
export type ChannelPlace = {
  /**
   * The line turned out to be this person's; the first one counts.
   * @returns false when the person has too many: the line is closed then, with 1008 and the reason
   */
  become: (userUuid: string) => boolean
  release: () => void
}

/** Counts the lines of one server process, and closes those for which there is no room with a code and a reason. */
export function createChannelPlaces(limits: ChannelLimits): { take: (socket: WebSocket) => ChannelPlace | undefined } {
  const taken = new Set<WebSocket>()
  /** In the order of their coming. */
  const nameless = new Set<WebSocket>()
  const ofPerson = new Map<string, number>()

  function take(socket: WebSocket): ChannelPlace | undefined {
    if (taken.size >= limits.all) {
      socket.on('error', () => socket.terminate())
      socket.close(TRY_LATER, 'Too many live connections; try again later')
      return undefined
    }
    taken.add(socket)
    nameless.add(socket)
    const [oldest] = nameless
    if (nameless.size > limits.nameless && oldest) {
      nameless.delete(oldest)
      oldest.close(TRY_LATER, 'Others wait to connect; subscribe sooner')
    }
    let owner: string | undefined
    return {
      become: (userUuid) => {
        if (owner !== undefined) return true
        const count = ofPerson.get(userUuid) ?? 0
        if (count >= limits.ofPerson) {
          socket.close(AGAINST_RULE, 'Too many live connections of one person')
          return false
        }
        nameless.delete(socket)
        owner = userUuid
        ofPerson.set(userUuid, count + 1)
        return true
      },
      release: () => {
        taken.delete(socket)
        nameless.delete(socket)
        const left = owner === undefined ? 0 : (ofPerson.get(owner) ?? 1) - 1
        if (owner !== undefined && left > 0) ofPerson.set(owner, left)
        else if (owner !== undefined) ofPerson.delete(owner)
        owner = undefined
      },
    }
  }

  return { take }
}
