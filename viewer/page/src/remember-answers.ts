/** Each thing is asked for once, by whoever needs it first; a failed answer is asked for again. */
export function rememberAnswers<Answer>(ask: (name: string) => Promise<Answer>): (name: string) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>()
  return (name) => {
    const known = asked.get(name)
    if (known !== undefined) return known
    const asking = ask(name)
    asked.set(name, asking)
    asking.catch(() => asked.delete(name))
    return asking
  }
}
