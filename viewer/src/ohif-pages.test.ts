import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { OHIF_START_SCRIPT } from './ohif-pages.ts'
import { WHOLE_MARK } from './viewer-base.ts'

it.each([
  ['a script', 'script', false],
  ['a style', 'stylesheet', false],
  ['a picture', 'img', true],
  ['what was only asked for ahead', 'preload', true],
])('marks the page of the full viewer as whole, until %s fails to load', (_name, part, isWhole) => {
  class Part {
    rel: string
    constructor(rel: string) {
      this.rel = rel
    }
  }
  class HTMLScriptElement extends Part {}
  class HTMLLinkElement extends Part {}
  const marks = new Set<string>()
  let fail: (event: { target: unknown }) => void = () => undefined
  runInNewContext(OHIF_START_SCRIPT, {
    window: {},
    document: {
      documentElement: {
        toggleAttribute: (name: string) => marks.add(name),
        removeAttribute: (name: string) => marks.delete(name),
      },
    },
    addEventListener: (_type: string, hear: typeof fail) => {
      fail = hear
    },
    HTMLScriptElement,
    HTMLLinkElement,
  })
  expect(marks.has(WHOLE_MARK)).toBe(true)
  fail({ target: part === 'script' ? new HTMLScriptElement('') : part === 'img' ? {} : new HTMLLinkElement(part) })
  expect(marks.has(WHOLE_MARK)).toBe(isWhole)
})
