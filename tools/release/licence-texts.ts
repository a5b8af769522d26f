import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { OtherPart } from './bill-of-materials.ts'
import type { LockedPackage } from './package-closure.ts'

/** Texts by id of the SPDX list, and by name of a part whose licence has words of its own. */
const standardTexts = path.join(import.meta.dirname, 'licence-texts')
const holders = '<copyright holders>'

interface PartTexts {
  /** Name, version and licence. */
  title: string
  /** Empty where a release would hold the licence's name alone. */
  texts: string[]
}

/** The licence texts of every package and of every other part, one after the other. @throws Error naming parts without one */
export function licenceTexts(root: string, packages: readonly LockedPackage[], others: readonly OtherPart[]): string {
  const parts = listPartTexts(root, packages, others)
  const bare = parts.filter(({ texts }) => texts.length === 0).map(({ title }) => title)
  if (bare.length > 0) throw new Error(`No licence text is known of: ${bare.join(', ')}`)
  return [...new Set(parts.map(({ title, texts }) => ['='.repeat(78), title, '', texts.join('\n\n')].join('\n')))].join(
    '\n\n',
  )
}

/** Each part with its own licence texts, else with the standard texts of its licence. */
export function listPartTexts(
  root: string,
  packages: readonly LockedPackage[],
  others: readonly OtherPart[],
): PartTexts[] {
  return [
    ...packages.map((one) => ({ title: titleOf(one), texts: textsOfPackage(path.join(root, one.place), one) })),
    ...others.map((one) => ({ title: titleOf(one), texts: textsOfOther(one) })),
  ]
}

function titleOf({ name, version, licence }: { name: string; version: string; licence: string }): string {
  return `${name} ${version}: ${licence}`
}

function textsOfPackage(folder: string, { name, licence }: LockedPackage): string[] {
  // Node's package for all platforms has no text, the one for this platform inside has
  const platform = path.join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  const files = readTexts(name === 'node' && existsSync(platform) ? platform : folder, /^(licen[cs]e|copying|notice)/i)
  const own = files.map(({ text }) => text)
  if (files.some(({ file }) => !/^notice/i.test(file))) return own
  // a chapter of the read-me names the holder or lists the licences of libraries inside, and may have the whole text
  const [readMe = { text: '' }] = readTexts(folder, /^readme/i)
  const chapter = /^(#+ *)?licen[cs](e|ing)\b.*\n[^]*/im.exec(readMe.text)?.[0]
  if (chapter !== undefined) own.push(chapter)
  if (chapter !== undefined && /permission is hereby granted/i.test(chapter)) return own
  const { author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const holder = (typeof author === 'string' ? author : author?.name) || `the authors of ${name}`
  const standard = standardTextsOf(licence).map((text) => text.replace(holders, () => holder))
  return standard.length === 0 ? [] : [...own, ...standard]
}

function textsOfOther({ name, licence }: OtherPart): string[] {
  const own = readStandard(name)
  const texts = own === undefined ? standardTextsOf(licence) : [own]
  return texts.map((text) => text.replace(holders, () => `the authors of ${name}`))
}

/** One text for each id of an SPDX expression; none where the text of one of them is missing. */
function standardTextsOf(licence: string): string[] {
  const ids = licence.split(/[\s()]+/).filter((word) => word !== '' && !/^(AND|OR|WITH)$/.test(word))
  // the LGPL is a supplement to the GPL and is read with it
  const all = ids.flatMap((id) => (id.startsWith('LGPL-3.0') ? [id, id.slice(1)] : [id]))
  const texts = all.map(readStandard)
  return texts.every((text) => text !== undefined) ? texts : []
}

function readStandard(name: string): string | undefined {
  const file = path.join(standardTexts, `${name}.txt`)
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : undefined
}

function readTexts(folder: string, names: RegExp): { file: string; text: string }[] {
  const files = readdirSync(folder).filter((file) => names.test(file))
  const texts = files.toSorted().map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8').trim() }))
  return texts.filter(({ text }) => text !== '')
}
