import { expect, it } from 'vitest'
import { countVerdicts } from './patient-pairs.ts'

it('takes two people for one only where both are written with the same letters, twins under one number among them', () => {
  const wrong: string[] = []
  const counts = countVerdicts('seed of the test', 20_000, (kind, { one, other }) => {
    if (one.patientName !== other.patientName) wrong.push(`${kind}: ${one.patientName} and ${other.patientName}`)
  })
  expect(wrong).toEqual([])
  for (const { same, likely, different } of counts) expect(same + likely + different).toBe(1000)
})

it('takes a person written twice for one, and refuses few outright whose name, date or number was mistyped', () => {
  const counts = new Map(countVerdicts('another seed', 20_000, () => undefined).map((count) => [count.name, count]))
  expect(counts.get('written twice by one careful system')?.same).toBe(1000)
  const kinds = ['as written twice', 'day and month exchanged', 'leading zeros of the number lost', 'no number']
  expect(kinds.filter((name) => (counts.get(name)?.different ?? 1000) > 50)).toEqual([])
})
