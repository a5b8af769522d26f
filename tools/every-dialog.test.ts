import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openedDialogs, openedElsewhere, unopened } from '../e2e/support/opened-dialogs.ts'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'web', 'src')
/** The frames that dialogs are made with: what counts is where such a frame is used. */
const frames = ['Dialog', 'AskDialog', 'ActDialog', 'ReasonDialog']
const ownFiles = /\/(ui\/dialog|ask-dialog|act-dialog|reason-dialog)$/

/** The dialogs of the web by their files, each as often as the file has one. */
function dialogsOfSource(): string[] {
  return globSync('**/*.tsx', { cwd: web })
    .filter((path) => !path.endsWith('.test.tsx'))
    .map((path) => ({
      path: path.replaceAll('\\', '/').replace(/\.tsx$/, ''),
      text: readFileSync(join(web, path), 'utf8'),
    }))
    .filter(({ path }) => !ownFiles.test(`/${path}`))
    .flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`<(?:${frames.join('|')})[\\s>]|role="dialog"`, 'g'))].map(() =>
        path.replace(/^features\//, ''),
      ),
    )
    .toSorted()
}

describe('every dialog of the web', () => {
  it('is opened by a flow in a browser, or stands in the list of those that are not, with the reason', () => {
    const known = [...openedDialogs, ...openedElsewhere, ...unopened].map(({ source }) => source)
    expect(dialogsOfSource().length).toBeGreaterThan(40)
    expect(dialogsOfSource()).toEqual(known.toSorted())
  })

  it('is met by the flow that the list names', () => {
    const lost = openedElsewhere.filter(
      ({ flow, says }) => !readFileSync(join(root, 'e2e', `${flow}.e2e.ts`), 'utf8').includes(says),
    )
    expect(lost).toEqual([])
  })

  it('has a reason of some words where no flow opens it', () => {
    expect(unopened.filter(({ why }) => why.split(' ').length < 5)).toEqual([])
  })
})
