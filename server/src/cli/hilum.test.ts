import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'hilum.ts'), ...args], { encoding: 'utf8' })

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
