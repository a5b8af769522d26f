import type { KyselyPlugin } from 'kysely'

/** Asks for the plan of every statement instead of its rows; with `analyze` it is run, and says how many rows each step had. */
export class PlanReader implements KyselyPlugin {
  readonly lines: string[] = []
  readonly #asking: string

  constructor(how?: 'analyze') {
    this.#asking = how ? `explain (${how})` : 'explain'
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    if (node.kind !== 'RawNode') return node
    const [first = '', ...rest] = node.sqlFragments
    return /^\s*(select|with)\b/.test(first) ? { ...node, sqlFragments: [`${this.#asking} ${first}`, ...rest] } : node
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    this.lines.push(...result.rows.map((row) => String(row['QUERY PLAN'] ?? '')))
    return { ...result, rows: [] }
  }
}
