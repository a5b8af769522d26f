import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'hilum.ts'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, HILUM_DATA: join(import.meta.dirname, 'no-such-folder'), DATABASE_URL: '' },
  })

it.each([[['help']], [['--help']], [['verify', '--help']], [['users', '-h']]])('%j explains the commands', (args) => {
  const { status, stdout } = run(...args)
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: npm run hilum -- <command>')])
})

it.each([
  [['verfiy'], 'There is no command "verfiy".'],
  [['toString'], 'There is no command "toString".'],
  [[], 'Name a command.'],
])('%j is no command, and is named', (args, words) => {
  const { status, stderr } = run(...args)
  expect([status, stderr]).toEqual([2, expect.stringContaining(words)])
  expect(stderr).toContain('Usage:')
})

it('knows every command that the help names, and the help names every command of the handbook', () => {
  const named = (text: string, start: RegExp) => [...new Set([...text.matchAll(start)].map(([, name = '']) => name))]
  const offered = named(run('help').stdout, /^ {2}([a-z-]+)(?= )/gm)
  const handbook = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'deploy.md'), 'utf8')
  expect(offered).toEqual(expect.arrayContaining(named(handbook, /npm run hilum -- ([a-z-]+)/g)))
  expect(offered.filter((name) => run(name).stderr.includes('There is no command'))).toEqual([])
})

it('ready ends with 1 and says why where nobody answers', () => {
  const env = { ...process.env, HILUM_HOST: '0.0.0.0', HILUM_PORT: '1' }
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'hilum.ts'), 'ready'], {
    encoding: 'utf8',
    env,
  })
  expect([status, stdout]).toEqual([1, expect.stringContaining('http://127.0.0.1:1/health/ready: no answer')])
})
