import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { actsNamed, asking, declared, readWebSources, repository as root } from '../server/test/asked-by-screens.ts'

/*
 * Screens ask whether they may offer a call or a route by its declaration, which names the act. So no screen asks for
 * another act than the server does, and what it asks about is what it sends.
 */

const sources = readWebSources()

/**
 * Files that ask and do not send themselves, with what they ask about: they lead to a screen, hand the act to the part around them, or ask what a
 * link or a viewer may be given.
 */
const leading: Readonly<Record<string, readonly string[]>> = {
  'web/src/features/administration/destinations/own-nodes.tsx': ['groupUserList', 'locationUserList'],
  'web/src/features/exam/head-acts.tsx': ['studyDelete', 'studyMerge', 'studySet', 'studyStar'],
  'web/src/features/exam/link-form.tsx': ['studyDownload'],
  'web/src/features/exam/may-give-files.ts': ['attachmentVersion'],
  'web/src/features/exam/pending-requests-tab.tsx': ['linkAdd'],
  'web/src/features/exam/send-to.tsx': ['studyDownload'],
  'web/src/features/exam/use-reports.ts': ['attachmentVersion', 'studySchema'],
  'web/src/features/exam/viewer-tab.tsx': ['storeMeasurements'],
  'web/src/features/shell/group-actions.tsx': ['destinationSearch', 'linkAdd', 'studyUploadCheck'],
  'web/src/features/shell/left-nav.tsx': ['studyUploadCheck'],
  'web/src/features/shell/main-menu.tsx': ['orderList'],
  'web/src/features/shell/palette-entries.tsx': ['destinationSearch', 'linkAdd', 'orderList', 'studyUploadCheck'],
  'web/src/features/studies/empty-list.tsx': ['studyGet', 'studyUploadCheck'],
  'web/src/features/studies/star-button.tsx': ['studyStar'],
  'web/src/features/studies/study-card.tsx': ['studyRevive'],
  'web/src/features/studies/use-list-acts.ts': ['studyStar'],
  'web/src/features/upload/upload-wizard.tsx': ['studyGet'],
  'web/src/queries/namespaces.ts': ['studyUploadCheck'],
  'web/src/queries/share-notices.ts': ['studyGet'],
  'web/src/screens/pending-requests.tsx': ['linkAdd'],
  'web/src/session/first-steps-place.ts': ['accountFirstSteps'],
  'web/src/session/own-pages.ts': [
    'accountSet',
    'accountUserList',
    'auditAccount',
    'customfieldList',
    'customfieldSet',
    'destinationSet',
    'groupUserList',
    'identityProviderSet',
    'locationUserList',
    'retentionGet',
    'roleList',
    'routeList',
    'webhookList',
  ],
}

it('no screen names an act: calls and routes do, for themselves and for parts of what they are sent', () => {
  const named = [...sources].flatMap(([file, text]) => actsNamed(text).map((act) => `${file}: ${act}`))
  expect(named).toEqual([])
})

it('a screen asks about calls and routes that it sends', () => {
  const asked = [...sources].flatMap(([file, text]) => {
    const names = [...text.matchAll(asking)].map((found) => found[2] ?? '')
    return names.filter((name) => Object.hasOwn(declared, name)).map((name) => ({ file, name }))
  })
  expect(asked.length).toBeGreaterThan(80)
  const unsent = asked.filter(({ file, name }) => !(leading[file]?.includes(name) || sentBy(file).has(name)))
  expect(unsent).toEqual([])
  for (const [file, names] of Object.entries(leading)) {
    const own = asked.filter((one) => one.file === file).map(({ name }) => name)
    expect([file, [...new Set(own)].toSorted()]).toEqual([file, names])
  }
})

interface Module {
  /** The source text behind each name at the top of the file, without the calls that are only asked about. */
  parts: ReadonlyMap<string, string>
  /** Local names of what comes from other files: the file, or the name of a call or a route. */
  imports: ReadonlyMap<string, { file: string; name: string } | { declared: string }>
}

const modules = new Map<string, Module>()
const whole = '*'

/** Calls and routes that a file sends, by itself or through what it uses. */
function sentBy(file: string): ReadonlySet<string> {
  const sent = new Set<string>()
  const seen = new Set<string>()
  const walk = (from: string, name: string) => {
    const key = `${from} ${name}`
    if (seen.has(key)) return
    seen.add(key)
    const { parts, imports } = moduleOf(from)
    const texts = name === whole ? [...parts.values()] : [parts.get(name) ?? '']
    for (const text of texts) {
      for (const [, lazy = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) walk(resolve(from, lazy), whole)
      for (const [word] of text.matchAll(/\w+/g)) {
        const found = imports.get(word)
        if (found && 'declared' in found) sent.add(found.declared)
        else if (found) walk(found.file, found.name)
        else if (parts.has(word)) walk(from, word)
      }
    }
  }
  walk(file, whole)
  return sent
}

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known) return known
  const text = readFileSync(path.join(root, file), 'utf8')
  const parts = new Map<string, string>()
  const imports = new Map<string, { file: string; name: string } | { declared: string }>()
  for (const statement of parseSync(file, text).program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = statement.source.value
      for (const one of statement.specifiers) {
        if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') continue
        const { name } = one.imported
        if (/^@hilum\/contract\/(calls|routes)\//.test(from) && name in declared)
          imports.set(one.local.name, { declared: name })
        else if (/^\.{1,2}\/.*\.tsx?$/.test(from)) imports.set(one.local.name, { file: resolve(file, from), name })
      }
      continue
    }
    const part = text.slice(statement.start, statement.end).replaceAll(asking, '')
    for (const name of namesOf(part)) parts.set(name, part)
  }
  const made = { parts, imports }
  modules.set(file, made)
  return made
}

/** The names that a statement at the top of a file declares. */
function namesOf(part: string): string[] {
  const one = /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/.exec(part)?.[1]
  if (one !== undefined) return [one]
  const several = /^(?:export )?const [{[]([^=]*)[}\]] =/.exec(part)?.[1]
  return several === undefined ? [part] : [...several.matchAll(/\w+/g)].map(([name]) => name)
}

function resolve(from: string, to: string): string {
  const file = path.posix.join(path.posix.dirname(from), to)
  if (!existsSync(path.join(root, file))) throw new Error(`${from} imports ${to}, which is not there`)
  return file
}
