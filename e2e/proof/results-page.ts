import { spawnSync } from 'node:child_process'
import { mkdir, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join, resolve } from 'node:path'
import type { Outcome, ProofPart } from './proof.ts'

const folder = resolve(import.meta.dirname, '..', '..', 'docs', 'proof')

/** Writes docs/proof/<part>.md anew: the last run is the one that counts. */
export async function writeResultsPage(
  part: ProofPart,
  outcome: Outcome,
  run: { commit: string; seed: string; tookMs: number; folder: string },
): Promise<void> {
  const [head = [], ...rows] = outcome.table
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const list = (lines: readonly string[]) => lines.map((text) => `- ${text}`).join('\n')
  const verdict =
    outcome.faults.length === 0
      ? 'Held in every case.'
      : `**${outcome.faults.length} ${outcome.faults.length === 1 ? 'fault' : 'faults'}:**\n\n${list(outcome.faults)}`
  const sections = [
    `# ${part.title}`,
    `Written by \`npm run proof -- ${part.name}\`. ${part.method}`,
    verdict,
    [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'),
    list([
      ...outcome.notes,
      `${describeMachine()}, commit ${run.commit}, data on ${await fileSystemOf(run.folder)}, ${Math.round(run.tookMs / 60_000)} minutes, seed \`${run.seed}\`.`,
    ]),
  ]
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${part.name}.md`), `${sections.join('\n\n')}\n`)
}

/** Asked before a part begins: what is loaded then is what is tried. */
export function findCommit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  return stdout.trim() || 'unknown'
}

function describeMachine(): string {
  const [cpu] = os.cpus()
  const memory = `${(os.totalmem() / 2 ** 30).toFixed(0)} GB`
  const machine = `${os.cpus().length} × ${cpu?.model.trim()}, ${memory}, Linux ${os.release()}`
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  return `${at} UTC, ${machine}, Node ${process.versions.node}, load ${os.loadavg()[0]?.toFixed(1)} at the end`
}

const fileSystems: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs (in memory)',
  0x58465342: 'xfs',
}

async function fileSystemOf(path: string): Promise<string> {
  const { type } = await statfs(path)
  return fileSystems[type] ?? `a file system of type ${type.toString(16)}`
}
