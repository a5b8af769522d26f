import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { resolve } from 'node:path'
import type { Report } from './measurement.ts'

const file = resolve(import.meta.dirname, '..', 'results.md')

export type Measured = { name: string; title: string; report: Report; at: string }

/** Puts what was measured into bench/results.md; sections of other measurements stay as they are. */
export async function writeResults(measured: readonly Measured[], order: readonly string[]): Promise<void> {
  const sections = await readSections()
  for (const one of measured) sections.set(one.name, sectionOf(one))
  const known = [...order, ...[...sections.keys()].filter((name) => !order.includes(name))]
  const body = known.flatMap((name) => sections.get(name) ?? [])
  await writeFile(file, [introduction, ...body].join('\n\n').concat('\n'))
}

const introduction = `# Measured

Written by \`npm run bench\`. Each comparison runs both programs on the same machine, with the same data, in the same run
and in turns: ratios say more than absolute figures, which belong to the machine named. The server is measured as it is
started by \`npm start\`, its embedded PostgreSQL included, over an empty data folder.`

/** One line that names machine and versions. */
export function describeMachine(versions: Readonly<Record<string, string>>): string {
  const [cpu] = os.cpus()
  const memory = `${(os.totalmem() / 2 ** 30).toFixed(0)} GB`
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const parts = [`${os.cpus().length} × ${cpu?.model.trim()}`, memory, `Linux ${os.release()}`, ...named]
  return [...parts, `load ${os.loadavg()[0]?.toFixed(1)} at the end`].join(', ')
}

function sectionOf({ name, title, report, at }: Measured): string {
  const [head = [], ...rows] = report.table
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `## ${title}`,
    `<!-- ${name} -->\n${at}`,
    [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'),
    report.notes.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n')
}

async function readSections(): Promise<Map<string, string>> {
  let text = ''
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const sections = text.split(/^(?=## )/m).slice(1)
  return new Map(sections.map((section) => [/<!-- (\S+) -->/.exec(section)?.[1] ?? '', section.trim()]))
}

/** Where a first look at the results goes: the terminal. */
export function printReport({ title, report }: Measured): void {
  console.log(`\n${title}`)
  const widths = (report.table[0] ?? []).map((_, column) =>
    Math.max(...report.table.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of report.table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
