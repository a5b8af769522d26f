import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { isOtherPatient } from '../storage/other-patient.ts'

/** Spellings that are compared, each with each other one: some 5,000 comparisons. */
const MAX_COMPARED = 100

export type PatientGroup<Image> = {
  /** As most images of the group write the patient. */
  identity: ArrivingIdentity
  spellings: number
  images: Image[]
  /** The images contradict neither of two patients who contradict each other. */
  isUnclear: boolean
}

type Spelling<Image> = { identity: ArrivingIdentity; images: Image[]; contradicted: Set<number> }

/**
 * Images by the patient whom they name, whatever order they come in. Two spellings are one patient where they contradict
 * each other nowhere and contradict the same others: an image that names nobody, or too little, is put to no patient by
 * chance, but stands by itself.
 * @returns the patient of most images first, unclear ones last; `left` are images beyond the spellings that are compared
 */
export function groupByPatient<Image extends { identity: ArrivingIdentity }>(
  images: readonly Image[],
): { groups: PatientGroup<Image>[]; left: Image[] } {
  const bySpelling = [
    ...Map.groupBy(images, ({ identity }) => JSON.stringify(Object.entries(identity).sort())).values(),
  ]
  const spellings = bySpelling.slice(0, MAX_COMPARED).map((own): Spelling<Image> => {
    const [{ identity }] = own as [Image, ...Image[]] // groups have members
    return { identity, images: own, contradicted: new Set() }
  })
  for (const [index, one] of spellings.entries()) {
    for (const [other, second] of spellings.entries()) {
      if (other > index && isOtherPatient(one.identity, second.identity)) {
        one.contradicted.add(other)
        second.contradicted.add(index)
      }
    }
  }
  const alike = [...Map.groupBy(spellings, ({ contradicted }) => [...contradicted].join()).values()]
  const groups = alike.map((own) => groupOf(own, spellings))
  return {
    groups: groups.sort((a, b) => Number(a.isUnclear) - Number(b.isUnclear) || b.images.length - a.images.length),
    left: bySpelling.slice(MAX_COMPARED).flat(),
  }
}

function groupOf<Image>(own: readonly Spelling<Image>[], all: readonly Spelling<Image>[]): PatientGroup<Image> {
  const [most] = own.toSorted((a, b) => b.images.length - a.images.length) as [Spelling<Image>, ...Spelling<Image>[]]
  const fitting = [...all.keys()].filter((index) => !most.contradicted.has(index))
  return {
    identity: most.identity,
    spellings: own.length,
    images: own.flatMap(({ images }) => images),
    isUnclear: fitting.some((index) => fitting.some((other) => all[index]?.contradicted.has(other))),
  }
}
