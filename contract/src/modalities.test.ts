import { expect, test } from 'vitest'
import { modalities } from './modalities.ts'

test('[SEARCH-17] 43 modalities, each once, with the ones named by the specification', () => {
  const codes = modalities.map(({ code }) => code)
  expect(new Set(codes).size).toBe(43)
  expect(codes.slice(0, 7)).toEqual(['CR', 'CT', 'US', 'SR', 'MR', 'MG', 'NM'])
})
