import { isDeepStrictEqual } from 'node:util'

/** Memory of one run of an act, from one step to the next. */
interface Run {
  /** Version of the record that an earlier step was answered with. */
  version?: number | undefined
}

type Step<On> = (on: On, run: Run) => Promise<string>

/** An act on one exam: its steps, each a request with its answer. Other acts may come between two steps. */
export interface PairedAct<On> {
  /** Makes ready what the act needs, before either act of a pair begins. */
  prepare?: (on: On) => Promise<void>
  steps: readonly Step<On>[]
}

type Acts<On> = Readonly<Record<string, PairedAct<On>>>

interface Outcome {
  /** Answers by the number and name of the act. */
  answers: Record<string, string>
  state: unknown
}

/**
 * Two acts one after the other, and at once; `make` gives each try an exam of its own, `stateOf` the state that people see
 * afterwards.
 */
export function inPairs<On>(acts: Acts<On>, make: () => Promise<On>, stateOf: (on: On) => Promise<unknown>) {
  const actOf = (name: string): PairedAct<On> => {
    const act = acts[name]
    if (!act) throw new Error(`There is no act ${name}`)
    return act
  }

  async function begin(first: string, second: string) {
    const on = await make()
    await actOf(first).prepare?.(on)
    if (second !== first) await actOf(second).prepare?.(on)
    const runs = [first, second].map((name) => {
      const run: Run = {}
      const steps = [...actOf(name).steps]
      const said: string[] = []
      return { said, next: async () => said.push((await steps.shift()?.(on, run)) ?? 'no step'), steps }
    })
    const [a, b] = runs
    if (!a || !b) throw new Error('There are two acts')
    const outcome = async (): Promise<Outcome> => ({
      answers: { [`1 ${first}`]: a.said.join(', '), [`2 ${second}`]: b.said.join(', ') },
      state: await stateOf(on),
    })
    return { a, b, outcome }
  }

  return {
    /**
     * Orders of the steps of both acts, one step after the other, up to the one that ends as `sought`; all of them, when
     * none does.
     */
    async inTurns(first: string, second: string, sought: Outcome): Promise<Outcome[]> {
      const outcomes: Outcome[] = []
      for (const turns of turnsOf(actOf(first).steps.length, actOf(second).steps.length)) {
        if (isDeepStrictEqual(outcomes.at(-1), sought)) break
        const { a, b, outcome } = await begin(first, second)
        for (const turn of turns) await (turn === 'first' ? a : b).next()
        outcomes.push(await outcome())
      }
      return outcomes
    },
    async atOnce(first: string, second: string): Promise<Outcome> {
      const { a, b, outcome } = await begin(first, second)
      await Promise.all(
        [a, b].map(async ({ steps, next }) => {
          while (steps.length > 0) await next()
        }),
      )
      return outcome()
    },
  }
}

type Turn = 'first' | 'second'

/** Every order in which so many steps of two acts may come. */
function turnsOf(first: number, second: number): Turn[][] {
  if (first === 0) return [Array<Turn>(second).fill('second')]
  if (second === 0) return [Array<Turn>(first).fill('first')]
  return [
    ...turnsOf(first - 1, second).map((rest) => ['first' as const, ...rest]),
    ...turnsOf(first, second - 1).map((rest) => ['second' as const, ...rest]),
  ]
}

/** Every pair of acts, each with itself among them. */
export function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((first, at) => names.slice(at).map((second) => [first, second] as const))
}
