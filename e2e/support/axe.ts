import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

interface Looked {
  /** A selector; the whole screen without one. */
  part?: string
  /** Colours alone, which are all that light and dark differ by. */
  only?: { type: 'rule'; values: ['color-contrast'] }
}

export const coloursAlone: Looked['only'] = { type: 'rule', values: ['color-contrast'] }

/**
 * Breaches of WCAG 2.2 A and AA on the screen, or a part of the screen, once nothing is being read any more (what is about to be replaced is
 * dimmed), one line each; frames of other documents are left out.
 */
export async function findBarriers(page: Page, { part, only }: Looked = {}): Promise<string[]> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  // By evaluation, which the page's policy does not bind; a script element it would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    ({ asked, within }) =>
      (window as unknown as { axe: { run: (where: unknown, options: unknown) => Promise<AxeResults> } }).axe.run(
        within ?? document,
        { runOnly: asked, iframes: false },
      ),
    { asked: only ?? { type: 'tag', values: tags }, within: part },
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  )
}
