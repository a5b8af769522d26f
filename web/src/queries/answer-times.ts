/** Up to here people take an answer for immediate, ms: results follow the typing. */
const quickMs = 100
/** Answers by which the server's pace is judged. */
const remembered = 3

type Asked = 'text' | 'list'
const times: Record<Asked, readonly number[]> = { text: [], list: [] }

/**
 * Notes how long the server took for a list. An answer that was given up before it was slow says nothing.
 * @param asked a list that is searched by text takes longer than one that is not, so each is noted by itself
 */
export function noteAnswer(asked: Asked, ms: number, isGivenUp: boolean): void {
  if (!isGivenUp || ms > quickMs) times[asked] = [...times[asked], ms].slice(-remembered)
}

/** Whether the server answers fast enough to search while somebody types: by the last searches, else by the last lists. */
export function areAnswersQuick(): boolean {
  const known = [...(times.text.length > 0 ? times.text : times.list)].sort((one, other) => one - other)
  const middle = known[Math.floor((known.length - 1) / 2)]
  return middle !== undefined && middle <= quickMs
}

/** Of another person's session, nothing is known. */
export function forgetAnswers(): void {
  times.text = []
  times.list = []
}
