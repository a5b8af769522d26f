import { WaitingLine } from '@hilum/dicom/render/waiting-line'

type TurnOptions = {
  /** For whom: owners take turns, so that one who asks for much keeps no other waiting. */
  owner?: string
  /** How much of the limit the work takes while it runs; never more than all of it. */
  weight?: number
}

/** Runs work up to a limit at a time, of pieces or of what they weigh; what comes beyond waits for its turn. */
export function atMost(limit: number): <T>(work: () => Promise<T>, options?: TurnOptions) => Promise<T> {
  const waiting = new WaitingLine<{ taken: number; begin: () => void }>()
  let left = limit
  const giveOut = () => {
    for (let next = waiting.peek(); next && next.taken <= left; next = waiting.peek()) {
      waiting.shift()
      left -= next.taken
      next.begin()
    }
  }
  return async (work, { owner = '', weight = 1 } = {}) => {
    const taken = Math.min(weight, limit)
    await new Promise<void>((begin) => {
      waiting.push(owner, { taken, begin })
      giveOut()
    })
    try {
      return await work()
    } finally {
      left += taken
      giveOut()
    }
  }
}
