import { countVerdicts, type PairCounts } from '@hilum/dicom/synthetic/patient-pairs'
import type { Outcome, ProofPart, Stage } from './proof.ts'

/** The comparison of two identities over generated pairs of which is known whether they are of one person. */
export const identity: ProofPart = {
  name: 'identity',
  title: 'One person or two',
  method: `A generated population (European, Japanese, Chinese and Slavic names) is written down as two systems would: other
case, accents, order, middle names, first letters, scripts, with and without the issuer of the number. Whether a pair is of
one person follows from how the pair was made. "Same" for two people is a false accept and must happen in fewer than one of
100,000 pairs of two people; "different" for one person is a false reject. "Likely" asks a person to look and joins nothing.
The kinds are as many as one another, so that hard ones (twins of whom one came under the other's number) count as often
here as strangers do: rates of a hospital are far lower. HILUM_PROOF_PAIRS sets how many pairs are made.`,
  run,
}

async function run({ seed, numberOf, say }: Stage): Promise<Outcome> {
  const pairs = numberOf('HILUM_PROOF_PAIRS', 2_000_000)
  const examples: string[] = []
  const counts = countVerdicts(seed, pairs, (kind, { one, other }) => {
    if (examples.length < 5)
      examples.push(`${kind}: ${Object.values(one).join(' | ')} and ${Object.values(other).join(' | ')}`)
  })
  const sum = (rows: readonly PairCounts[], verdict?: 'same' | 'different') =>
    rows.reduce((total, row) => total + (verdict ? row[verdict] : row.same + row.likely + row.different), 0)
  const [onePerson, twoPeople] = [counts.filter((row) => row.isOnePerson), counts.filter((row) => !row.isOnePerson)]
  const [accepted, rejected] = [sum(twoPeople, 'same'), sum(onePerson, 'different')]
  const falseAccept = accepted / sum(twoPeople)
  const married = onePerson.find((row) => row.name === 'married since')?.different ?? 0
  const marriedShare = Math.round((100 * married) / Math.max(1, rejected))
  say(`${accepted} false accepts, ${rejected} false rejects`)
  return {
    table: [
      ['Kind of pair', 'In truth', 'Same', 'Likely', 'Different'],
      ...counts.map((row) => [
        row.name,
        row.isOnePerson ? 'one person' : 'two people',
        ...[row.same, row.likely, row.different].map((count) => count.toLocaleString('en')),
      ]),
    ],
    notes: [
      `False accepts: ${accepted} of ${sum(twoPeople).toLocaleString('en')} pairs of two people, ${perHundredThousand(falseAccept)} in 100,000.`,
      `False rejects: ${rejected.toLocaleString('en')} of ${sum(onePerson).toLocaleString('en')} pairs of one person, ${((100 * rejected) / sum(onePerson)).toFixed(1)} %. ${marriedShare} % of them are people who married and of whom one record names no issuer: nothing but a birth date speaks for one person then.`,
      ...examples.map((example) => `A false accept, of generated people: ${example}.`),
    ],
    faults:
      falseAccept < 1e-5 ? [] : [`${perHundredThousand(falseAccept)} false accepts in 100,000 pairs of two people`],
  }
}

const perHundredThousand = (rate: number) => (rate * 100_000).toFixed(2)
