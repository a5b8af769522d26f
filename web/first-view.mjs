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
 * A build step that keeps what the first view does not need out of its scripts: texts and icons of other screens come
 * with the first of these screens, and what servers and the API page alone need of declarations not at all.
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
    resolveId: {
      // before the bundler finds the file itself
      order: 'pre',
      handler: (id, importer) => {
        if (id === laterTexts) return `\0${laterTexts}`
        const isLater = importer?.startsWith(pathOf('./src/')) && importer !== laterIcons && !files.has(importer)
        return isLater && id.endsWith('/icons.ts') ? laterIcons : undefined
      },
    },
    load: (id) => {
      if (id === laterIcons) return laterIconsCode(firstIcons(files))
      if (id !== `\0${laterTexts}`) return undefined
      return `import { addTexts } from ${JSON.stringify(labels)}\naddTexts(${JSON.stringify(texts.later)})`
    },
    transform(code, id) {
      if (id === catalogue) return { code: `export const english = ${JSON.stringify(texts.first)}`, map: null }
      if (declarations.test(id)) return { code: withoutServerParts(this.parse(code), code), map: null }
      if (id === errorCodes) return { code: code.replaceAll(meaning, "$1 ''"), map: null }
      if (id === icons) return { code: withoutIcons(code, (name) => firstIcons(files).has(name)), map: null }
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

const icons = pathOf('./src/ui/icons.ts')
/** The icons as later screens import them: those of the first view and all others. */
const laterIcons = `${icons}?later`
const iconLine = /^export const (Icon\w+) = .*\((\w+)\);?$/gm

/** Names of the icons that the files of the first view import. */
function firstIcons(files) {
  const code = [...files].filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, 'utf8'))
  const lists = code.flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from '[^'\n]*\/icons\.ts'/gm)])
  return new Set(lists.flatMap(([, list]) => list.match(/\w+/g)))
}

/** The file of icons with those alone that are wanted. */
function withoutIcons(code, isWanted) {
  const left = [...code.matchAll(iconLine)].filter(([, name]) => !isWanted(name))
  const drawings = left.map(([, , drawing]) => `import ${drawing} from`)
  return code
    .split('\n')
    .filter((line) => !drawings.some((start) => line.startsWith(start)) && !left.some(([whole]) => whole === line))
    .join('\n')
}

function laterIconsCode(first) {
  const others = withoutIcons(readFileSync(icons, 'utf8'), (name) => !first.has(name))
  return `${others}\nexport { ${[...first].join(', ')} } from ${JSON.stringify(icons)}`
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
/** The catalogue of errors: pages have texts of their own, and ask for its codes alone. */
const errorCodes = pathOf('../contract/src/errors.ts')
const meaning = /^(\s+[A-Z_]+:)\s+(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=,?\n)/gm
/** Parts of declared calls and routes that no page reads. */
export const serverParts = new Set('summary output errors list asks answer reply body headers audit'.split(' '))

/** A file of declarations without the parts that servers alone need. */
function withoutServerParts(tree, code) {
  const left = []
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node?.type !== 'string') return undefined
    const isDeclared = node.type === 'CallExpression' && /^define(?:Call|Route)$/.test(node.callee.name)
    if (!isDeclared) return Object.values(node).forEach(walk)
    for (const declared of node.arguments)
      for (const one of declared.properties ?? []) if (serverParts.has(one.key?.name)) left.push(one)
    return undefined
  }
  walk(tree)
  return left.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ''), code)
}

/** Names the file of parts that the first view shares with later screens, for a module of the first view. */
export function firstShared(id, modules) {
  first ??= modulesOfFirstView(modules)
  return first.has(id) ? 'first' : null
}

let first

/** Modules that the entry needs at once; of a library's list of all that it exports, those that are named alone. */
function modulesOfFirstView(modules) {
  const found = new Set()
  const follow = (id) => {
    if (found.has(id)) return
    found.add(id)
    const { code, importedIds = [] } = modules.getModuleInfo(id) ?? {}
    for (const one of importedIds) {
      if (isList(one)) followNamed(one, namesImported(code ?? '', one))
      else follow(one)
    }
  }
  /** The modules of a list that export what is named. */
  const followNamed = (list, names) => {
    const { code, importedIds } = modules.getModuleInfo(list)
    found.add(list)
    for (const { path, locals, isAll } of statementsOf(code)) {
      const id = importedIds.find((one) => isMeant(path, list, one))
      if (id === undefined) continue
      const wanted = isAll ? names : names.filter((name) => locals.includes(name))
      if (isList(id)) followNamed(id, wanted)
      else if (isAll ? modules.getModuleInfo(id).exports.some((one) => names.includes(one)) : wanted.length > 0)
        follow(id)
    }
  }
  const isList = (id) => lists.test(id)
  follow(entry)
  return found
}

/** Lists of exports in which a library names all that it has. */
const lists = /\/node_modules\/@(?:mantine|tanstack)\/[^/]+\/(?:esm|build\/modern|dist\/esm)\/index\.m?js$/

/** Imports of a module and exports from elsewhere: names as they are there, or all. */
function statementsOf(code) {
  const statements = code.matchAll(/\b(?:import|export)\s*(\*|\{([^}]*)\})(?:\s*as\s+\w+)?\s*from\s*["']([^"']+)["']/g)
  return [...statements].map(([, what, names = '', path]) => ({
    path,
    isAll: what === '*',
    locals: names.split(',').map((name) => name.trim().replace(/\s+as\s+.*$/, '')),
  }))
}

function namesImported(code, list) {
  return statementsOf(code)
    .filter(({ path }) => isMeant(path, '', list))
    .flatMap(({ locals }) => locals)
}

/** Whether the path of an import in a file names a module: beside the file, or by the name of its package. */
function isMeant(path, file, id) {
  return path.startsWith('.') ? resolve(dirname(file), path) === id : id.includes(`/node_modules/${path}/`)
}
