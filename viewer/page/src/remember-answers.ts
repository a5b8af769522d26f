/**
 * Each thing is asked for once, by whoever needs it first; a failed answer is asked for again.
 * @param maxAnswers answers; the oldest is dropped for one more
 */
export function rememberAnswers<Answer>(
  ask: (name: string) => Promise<Answer>,
  maxAnswers = Infinity,
): (name: string) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>()
  return (name) => {
    const known = asked.get(name)
    if (known !== undefined) return known
    const asking = ask(name)
    const [oldest] = asked.keys()
    if (asked.size >= maxAnswers && oldest !== undefined) asked.delete(oldest)
    asked.set(name, asking)
    asking.catch(() => asked.delete(name))
    return asking
  }
}
