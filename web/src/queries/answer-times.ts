/** Up to here people take an answer for immediate, ms: results follow the typing. */
const quickMs = 100
/** Answers by which the server's pace is judged. */
const remembered = 3

/** An answer says nothing of the server's pace any more after a minute. */
const freshMs = 60_000

type Asked = 'text' | 'list'
interface Answer {
  ms: number
  /** When it came, by the page's clock. */
  at: number
}
const answers: Record<Asked, readonly Answer[]> = { text: [], list: [] }

/**
 * Notes how long the server took for a list. An answer that was given up before it was slow says nothing.
 * @param asked a list that is searched by text takes longer than one that is not, so each is noted by itself
 */
export function noteAnswer(asked: Asked, ms: number, isGivenUp: boolean): void {
  if (!isGivenUp || ms > quickMs) answers[asked] = [...answers[asked], { ms, at: performance.now() }].slice(-remembered)
}

/**
 * Whether the server answers fast enough to search while somebody types: by the last searches of this minute, else by the
 * lists of this minute. Where all that is known is older, typing tries once more, which is an answer again.
 */
export function areAnswersQuick(): boolean {
  const now = performance.now()
  const fresh = (asked: Asked) => answers[asked].filter(({ at }) => now - at < freshMs).map(({ ms }) => ms)
  const known = [fresh('text'), fresh('list')].find((times) => times.length > 0)
  if (!known) return answers.text.length + answers.list.length > 0
  const middle = known.toSorted((one, other) => one - other)[Math.floor((known.length - 1) / 2)]
  return middle !== undefined && middle <= quickMs
}

/** Of another person's session, nothing is known. */
export function forgetAnswers(): void {
  answers.text = []
  answers.list = []
}
