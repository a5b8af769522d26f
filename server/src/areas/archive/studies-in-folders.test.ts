import { expect, test } from 'vitest'
import { freeName, inFolders } from './studies-in-folders.ts'

test('folders of one name get numbers, also where case or the form of letters alone differ', () => {
  const taken = new Set<string>()
  const names = ['DOE_JANE', 'Doe_Jane', 'DOE_JANE-2', 'DOE_JANE', 'M\u00dcLLER', 'Mu\u0308ller', 'Νίκος', 'Νίκοσ']
  expect(names.map((name) => freeName(name, taken))).toEqual([
    'DOE_JANE',
    'Doe_Jane-2',
    'DOE_JANE-2-2',
    'DOE_JANE-3',
    'M\u00dcLLER',
    'Mu\u0308ller-2',
    'Νίκος',
    'Νίκοσ-2',
  ])
})

test('entries stand in their folders in order, those without an entry left out', () => {
  const entry = (name: string) => ({ name, length: 0, crc32: 0, modified: new Date(0), parts: [] })
  const listed = inFolders([
    { name: 'A', entries: [entry('1'), entry('2')] },
    { name: 'B', entries: [] },
    { name: 'C', entries: [entry('1')] },
  ])
  expect(Array.from({ length: listed.length }, (_, index) => listed.at(index)?.name)).toEqual(['A/1', 'A/2', 'C/1'])
  expect(listed.at(3)).toBeUndefined()
})
