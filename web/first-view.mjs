import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))
const entry = pathOf('./src/main.tsx')
const labels = pathOf('./src/labels/label.ts')
const catalogue = pathOf('./src/labels/english.ts')
export const laterTexts = 'virtual:later-texts'

/** The files of `src` that the page loads before anything is seen: all that its entry imports at once, however far. */
export function filesOfFirstView() {
  const found = new Set()
  const follow = (file) => {
    if (found.has(file)) return
    found.add(file)
    for (const imported of importsOf(file)) follow(imported)
  }
  follow(entry)
  return found
}

/** Files beside it that a file imports at once. Imports of types alone are gone from the built page. */
function importsOf(file) {
  if (!/\.tsx?$/.test(file)) return []
  return pathsImported(readFileSync(file, 'utf8')).map((path) => resolve(dirname(file), path))
}

/** Paths of files beside it that code imports at once, or exports from. */
export function pathsImported(code) {
  const statements = code.matchAll(/^(?:import\s*|(?:import|export)\s(?!type\s)[^'"]*?\bfrom\s*)['"](\.[^'"]+)['"]/gm)
  return [...statements].map(([, path]) => path)
}

/** Names of texts that begin with a part that changes: which texts they are cannot be known before the page runs. */
export function unknownTexts(code) {
  return [...code.matchAll(/\bt(?:Rich)?\(\s*(`[^`.$]*\$\{[^`]*`)/g)].map(([, name]) => name)
}

/**
 * Parts the texts into those that a file of the first view names, by the whole key or by its beginning, and all others.
 * Both are flat objects of key and English text.
 */
export async function partTexts() {
  const { english } = await import('./src/labels/english.ts')
  const files = [...filesOfFirstView()].filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith(dirname(catalogue) + '/en/'),
  )
  const codes = files.filter((file) => file !== catalogue).map((file) => readFileSync(file, 'utf8'))
  const unknown = codes.flatMap(unknownTexts)
  if (unknown.length > 0)
    throw new Error(`Names of texts in the first view have to begin with their fixed part: ${unknown.join(', ')}`)
  const whole = new Set(codes.flatMap((code) => [...code.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, key]) => key)))
  const beginnings = codes.flatMap((code) => [...code.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map(([, begin]) => begin))
  const isFirst = ([key]) =>
    whole.has(key.replace(/_(one|other)$/, '')) || beginnings.some((beginning) => key.startsWith(beginning))
  const entries = Object.entries(english)
  return {
    first: Object.fromEntries(entries.filter(isFirst)),
    later: Object.fromEntries(entries.filter((one) => !isFirst(one))),
  }
}

/**
 * A build step that keeps what the first view does not need out of its scripts: texts of other screens come with the
 * first of these screens, and the sentences of the API page not at all.
 */
export function firstView() {
  let files
  let texts
  return {
    name: 'first-view',
    apply: 'build',
    async buildStart() {
      files = filesOfFirstView()
      texts = await partTexts()
    },
    resolveId: (id) => (id === laterTexts ? `\0${laterTexts}` : undefined),
    load: (id) =>
      id === `\0${laterTexts}`
        ? `import { addTexts } from ${JSON.stringify(labels)}\naddTexts(${JSON.stringify(texts.later)})`
        : undefined,
    transform(code, id) {
      if (id === catalogue) return { code: `export const english = ${JSON.stringify(texts.first)}`, map: null }
      if (declarations.test(id)) return { code: code.replaceAll(summary, "summary: ''"), map: null }
      const isLater = /\/web\/src\/.*\.tsx?$/.test(id) && !files.has(id) && code.includes('/label.ts')
      return isLater ? { code: `import '${laterTexts}'\n${code}`, map: null } : undefined
    },
    generateBundle(_options, bundle) {
      const circle = findCircle(bundle)
      if (circle)
        this.error(`Built files import each other in a circle, so that one runs too early: ${circle.join(' → ')}`)
    },
  }
}

/** Built files that lead back to their first by what they import at once; undefined where there are none. */
function findCircle(bundle) {
  const done = new Set()
  const follow = (name, path) => {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (done.has(name)) return undefined
    for (const imported of bundle[name]?.imports ?? []) {
      const circle = follow(imported, [...path, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  return Object.keys(bundle)
    .map((name) => follow(name, []))
    .find(Boolean)
}

const declarations = /\/contract\/src\/(?:calls|routes)\/[^/]+\.ts$/
const summary = /\bsummary:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=,?\s*\n)/g

/**
 * Names the file of parts that the first view shares with later screens, for a module of the first view. Of a library's
 * list of all that it exports, only what the first view names belongs to it.
 */
export function firstShared(id, modules) {
  first ??= modulesOfFirstView(modules)
  return first.has(id) ? 'first' : null
}

let first

function modulesOfFirstView(modules) {
  const code = [...filesOfFirstView()].filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, 'utf8'))
  const lists = code.flatMap((text) => [...text.matchAll(/^import\s(?!type\s)[^'"]*?\{([^}]*)\}[^'"]*?['"][\w@]/gm)])
  const named = new Set(lists.flatMap(([, list = '']) => (list.match(/\w+/g) ?? []).map(asFileName)))
  const found = new Set()
  const follow = (id) => {
    if (found.has(id)) return
    found.add(id)
    const imported = modules.getModuleInfo(id)?.importedIds ?? []
    const isListOfExports = id.endsWith('/@mantine/core/esm/index.mjs')
    for (const one of imported) if (!isListOfExports || named.has(asFileName(one))) follow(one)
  }
  follow(entry)
  return found
}

/** A name as files are called by it, whether written-so or WrittenSo. */
function asFileName(nameOrPath) {
  return nameOrPath
    .replace(/^.*\//, '')
    .replace(/\.m?js$/, '')
    .replaceAll('-', '')
    .toLowerCase()
}
