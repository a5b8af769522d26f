import type pg from 'pg'

/** A step of a plan, as `explain (verbose, format json)` writes it. */
interface Step {
  Output?: string[]
  Alias?: string
  'Join Type'?: string
  'Parent Relationship'?: string
  Plans?: Step[]
}

/** The side of a join whose rows may be missing. */
const missingSides: Record<string, string[]> = { Left: ['Inner'], Right: ['Outer'], Full: ['Inner', 'Outer'] }
const saysOuter = /\b(left|right|full)\s+(outer\s+)?join\b/i

/** Does a statement join what may be missing? */
export function hasOuterJoin(text: string): boolean {
  return saysOuter.test(text)
}

/**
 * Columns of a statement that an outer join may leave empty, by their place, as the planner sees them: of a join that a
 * condition makes an inner one, none.
 */
export async function columnsOfOuterJoins(client: pg.Client, text: string): Promise<Set<number>> {
  const places = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  await client.query(`prepare planned as ${text}`)
  try {
    const given = places > 0 ? `(${Array.from({ length: places }, () => 'null').join(', ')})` : ''
    // the plan of any values: that of nulls would be empty
    await client.query('set plan_cache_mode = force_generic_plan')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (verbose, format json) execute planned${given}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return new Set((plan?.Output ?? []).flatMap((output, at) => (plan && isMissing(plan, output) ? [at] : [])))
  } finally {
    await client.query('deallocate planned')
  }
}

function isMissing(plan: Step, output: string): boolean {
  const alias = /^"?(\w+)"?\."?\w+"?$/.exec(output)?.[1]
  return alias !== undefined && liesOnMissingSide(plan, alias)
}

function liesOnMissingSide(step: Step, alias: string): boolean {
  const missing = missingSides[step['Join Type'] ?? ''] ?? []
  return (step.Plans ?? []).some((inner) => {
    const side = inner['Parent Relationship'] ?? ''
    return (missing.includes(side) && names(inner, alias)) || liesOnMissingSide(inner, alias)
  })
}

function names(step: Step, alias: string): boolean {
  return step.Alias === alias || (step.Plans ?? []).some((inner) => names(inner, alias))
}
