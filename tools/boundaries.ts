/** `npm run boundaries`: do all imports keep to the arrows of .dependency-cruiser.cjs? */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const workspaces = ['contract', 'dicom', 'server', 'web', 'viewer']

/**
 * Checks the imports of a copy of the repository.
 * @param root the copy's folder; its packages may be a link
 * @returns what dependency-cruiser says, and whether it agrees
 */
export function checkBoundaries(root: string): { ok: boolean; report: string } {
  const program = path.resolve(import.meta.dirname, '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const folders = workspaces.map((name) => `${name}/src`).filter((folder) => existsSync(path.join(root, folder)))
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...folders]
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  return { ok: result.status === 0, report: `${result.stdout}${result.stderr}`.trim() }
}

if (import.meta.main) {
  const { ok, report } = checkBoundaries(path.resolve(import.meta.dirname, '..'))
  process.stdout.write(`${report}\n`)
  process.exitCode = ok ? 0 : 1
}
