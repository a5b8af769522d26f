/**
 * Notes now and then how far work is, and once more at its end; one note after the other. A note that fails is told and
 * the work goes on: the next one says more.
 * @param everyMs milliseconds between two notes
 */
export function noteEvery(
  everyMs: number,
  note: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let noting = Promise.resolve()
  const next = () => {
    noting = noting.then(note).catch(onError)
  }
  const timer = setInterval(next, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      next()
      return noting
    },
  }
}
