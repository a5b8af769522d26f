import { expect, test } from 'vitest'
import { hueOfTag } from './tag-name.ts'

test('a tag has the colour of the longest beginning that it has, whatever case and accents', () => {
  const colors = [
    { start: 'ER', hue: 'red' },
    { start: 'er-late', hue: 'blue' },
    { start: 'Étude', hue: 'green' },
  ] as const
  const hues = ['er', 'ER-late 2', 'ETUDE 7', 'research', 'late er'].map((tag) => hueOfTag(tag, colors))
  expect(hues).toEqual(['red', 'blue', 'green', undefined, undefined])
})
