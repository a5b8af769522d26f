import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const repository = path.resolve(import.meta.dirname, '..')
const pinnedVersion = 'v26.10.0'

let clone: string
beforeAll(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), 'hilum-clone-'))
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  for (const file of execFileSync('git', list, { cwd: repository, encoding: 'utf8' }).split('\0')) {
    if (file !== '' && existsSync(path.join(repository, file)))
      cpSync(path.join(repository, file), path.join(clone, file))
  }
  writeFileSync(path.join(clone, 'version.ts'), 'const version: string = process.version\nconsole.log(version)\n')
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

/** Runs with-node as a person whose npm skips install scripts, from another folder, and without this checkout's programs. */
function runWithNode(env: Record<string, string> = {}) {
  const programs = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return spawnSync('node', [path.join(clone, 'tools', 'with-node.mjs'), path.join(clone, 'version.ts')], {
    cwd: os.tmpdir(),
    env: { ...process.env, PATH: programs.join(':'), npm_config_ignore_scripts: 'true', ...env },
    encoding: 'utf8',
  })
}

it('sets a fresh clone up with packages and the pinned Node, although install scripts were skipped', () => {
  const first = runWithNode()
  expect(first.stderr).toContain('Installing packages')
  expect(first.stderr).toContain('Fetching Node')
  expect(first.stdout.trim()).toBe(pinnedVersion)

  const second = runWithNode()
  expect(second.stderr).toBe('')
  expect(second.stdout.trim()).toBe(pinnedVersion)
})

it('says in words that packages could not be installed', () => {
  const lock = path.join(clone, 'package-lock.json')
  writeFileSync(lock, '{ "lockfileVersion": 3, "packages": { "node_modules/absent": { "version": "1.0.0" } } }')
  const { status, stderr } = runWithNode({ npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' })
  expect(status).toBe(1)
  expect(stderr).toContain('npm ci failed')
  expect(stderr).not.toContain('setup.mjs:')
})
