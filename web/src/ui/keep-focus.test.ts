import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from './keep-focus.ts'

let stop: () => void
beforeEach(() => {
  document.body.innerHTML = `
    <main><section id="panel"><form id="form"><button id="save">Save</button></form><button id="other">Other</button></section></main>`
  stop = keepFocus(document)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  stop()
})

const find = (id: string) => document.getElementById(id) as HTMLElement
async function focused(): Promise<string | undefined> {
  await vi.advanceTimersByTimeAsync(1000)
  return document.activeElement?.id || document.activeElement?.tagName
}

test('when what had the focus goes away, the nearest place around it has it', async () => {
  find('save').focus()
  find('form').remove()
  expect(await focused()).toBe('panel')
  document.querySelector('section')?.remove()
  expect(await focused()).toBe('MAIN')
})

test('where the page puts the focus itself, it stays', async () => {
  find('save').focus()
  find('form').remove()
  find('other').focus()
  expect(await focused()).toBe('other')
})

test('a control that was out of use for a while gets it back', async () => {
  const save = find('save') as HTMLButtonElement
  save.focus()
  save.blur() // as browsers do with what is out of use
  save.disabled = true
  expect(await focused()).toBe('BODY')
  save.disabled = false
  expect(await focused()).toBe('save')
})

test('what a pointer takes away stays away', async () => {
  find('save').focus()
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  find('form').remove()
  expect(await focused()).toBe('BODY')
})
