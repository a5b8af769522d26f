/** Whether all came that an answer is made of. */
export function isWholeAnswer({ isWhole }: { isWhole: boolean }): boolean {
  return isWhole
}

/**
 * Each thing is asked for once, by whoever needs it first; a failed answer is asked for again.
 * @param maxAnswers answers; the oldest is dropped for one more
 * @param isLasting false of an answer that is asked for again the next time
 */
export function rememberAnswers<Answer>(
  ask: (name: string) => Promise<Answer>,
  maxAnswers = Infinity,
  isLasting: (answer: Answer) => boolean = () => true,
): (name: string) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>()
  return (name) => {
    const known = asked.get(name)
    if (known !== undefined) return known
    const asking = ask(name)
    const [oldest] = asked.keys()
    if (asked.size >= maxAnswers && oldest !== undefined) asked.delete(oldest)
    asked.set(name, asking)
    asking.then(
      (answer) => isLasting(answer) || asked.delete(name),
      () => asked.delete(name),
    )
    return asking
  }
}
