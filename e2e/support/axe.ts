import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

interface Looked {
  /** A selector; the whole screen without one. */
  part?: string
  /** Some rules alone; all without them. */
  only?: { type: 'rule'; values: string[] }
}

/** All that light and dark differ by. */
export const coloursAlone: Looked['only'] = { type: 'rule', values: ['color-contrast'] }
/** All that light and dark, and a small window and a large one, differ by. */
export const coloursAndRoom: Looked['only'] = {
  type: 'rule',
  values: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
}

/**
 * Breaches of WCAG 2.2 A and AA on the screen, or a part of the screen, once nothing is being read any more (what is about to be replaced is
 * dimmed), one line each. Frames of other documents are asked for themselves.
 */
export async function findBarriers(page: Page | Frame, { part, only }: Looked = {}): Promise<string[]> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  // By evaluation, which the page's policy does not bind; a script element it would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    async ({ asked, within }) => {
      const { axe } = window as unknown as { axe: { run: (where: unknown, how: object) => Promise<AxeResults> } }
      const { prototype } = CSSStyleDeclaration
      const read = prototype.getPropertyValue
      // where colours are forced, Chromium draws texts by `color` and tells the page's own colour as that of their filling
      if (window.matchMedia('(forced-colors: active)').matches)
        prototype.getPropertyValue = function (name) {
          return read.call(this, name === '-webkit-text-fill-color' ? 'color' : name)
        }
      try {
        // what nobody reads here, the ways to each element above all, took most of the time
        return await axe.run(within ?? document, {
          runOnly: asked,
          iframes: false,
          resultTypes: ['violations'],
          selectors: false,
        })
      } finally {
        prototype.getPropertyValue = read
      }
    },
    { asked: only ?? { type: 'tag', values: tags }, within: part },
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  )
}
