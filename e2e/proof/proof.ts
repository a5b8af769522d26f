/** One programme of `npm run proof`. */
export interface ProofPart {
  name: string
  title: string
  /** A few sentences for the head of the results page. */
  method: string
  run: (stage: Stage) => Promise<Outcome>
}

export interface Stage {
  /** Empty, on a real disk, removed afterwards. */
  folder: string
  /** Kept from run to run, outside the repository. */
  lastingFolder: string
  /** Of every random choice. */
  seed: string
  /** A number from the environment, e.g. HILUM_PROOF_KILLS. */
  numberOf: (setting: string, otherwise: number) => number
  say: (line: string) => void
}

export interface Outcome {
  /** Rows of the results page; the first is its head. */
  table: readonly (readonly string[])[]
  notes: readonly string[]
  /** Promises that did not hold; the programme fails when there is one. */
  faults: readonly string[]
}
