import { expect, test } from 'vitest'
import { pathsImported, unknownTexts } from '../first-view.mjs'

test('the first view has the files that its code imports at once, and none that it merely names', () => {
  const code = [
    "import './page.css'",
    "import { one } from './one.ts'",
    "import type { Two } from './two.ts'",
    'import {',
    '  three,',
    "} from '../three.ts'",
    "export { four } from './four.ts'",
    "export const isScript = (name: string) => name.endsWith('.ts')",
    "const later = () => import('./later.ts')",
  ].join('\n')
  expect(pathsImported(code)).toEqual(['./page.css', './one.ts', '../three.ts', './four.ts'])
})

test('a text of the first view whose name begins with a part that changes is refused', () => {
  const code = 't(`work.${status}`) + t(`${of}.title`) + tRich(\n  `x${of}.lead`, {}) + at(`${of}.title`)'
  expect(unknownTexts(code)).toEqual(['`${of}.title`', '`x${of}.lead`'])
})
