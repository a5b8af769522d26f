import { expect, it } from 'vitest'
import { namingWords } from './naming-words.ts'

it.each([
  ['a number of short parts', '12-34-56', '123456'],
  ['a number beside its parts', '2026.11.0012', '2026110012'],
  ['each of several numbers', '11.22.33\\44.55.66', '445566'],
  ['a name of two ideographs', 'Yamada^Tarou=山田^太郎', '太郎'],
  ['a name whose parts are one ideograph each', 'Li^Ming=李^明', '李明'],
  ['a name whose parts are short', 'Ng^Ed', 'nged'],
  ['a name without its marks', 'Müller^Zoë', 'muller'],
])('knows %s', (_, text, word) => {
  expect(namingWords([text])).toContain(word)
})

it('knows no word that stands in anything', () => {
  expect(namingWords(['', 'AB^CD', '1234', '12\\34', '李'])).toEqual(['abcd'])
})
