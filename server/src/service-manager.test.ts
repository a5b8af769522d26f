import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLog } from './log.ts'
import { findServiceManager, type ServiceManager } from './service-manager.ts'

let folder: string
let manager: ServiceManager | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hilum-notify-'))
  const program = join(folder, 'systemd-notify')
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${folder}/told'\n`)
  chmodSync(program, 0o755)
})
afterEach(() => {
  manager?.close()
  rmSync(folder, { recursive: true, force: true })
})

const told = () => (existsSync(join(folder, 'told')) ? readFileSync(join(folder, 'told'), 'utf8').split('\n') : [])
const manage = (environment: NodeJS.ProcessEnv) => {
  manager = findServiceManager(openLog('silent'), { PATH: `${folder}:/usr/bin:/bin`, ...environment })
  return manager
}

it('tells systemd when it is ready, that it lives, and when it stops', async () => {
  const { ready, stopping } = manage({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '20000' })
  await ready('At http://127.0.0.1:8470')
  expect(told()[0]).toBe('/run/x READY=1 STATUS=At http://127.0.0.1:8470')
  await vi.waitFor(() => expect(told().slice(1, 3)).toEqual(['/run/x WATCHDOG=1', '/run/x WATCHDOG=1']))
  await stopping()
  expect(told()).toContain('/run/x STOPPING=1')
})

it('tells nobody where systemd did not start it, and no heartbeat where none is awaited', async () => {
  await manage({}).ready('')
  expect(told()).toEqual([])
  const timer = vi.spyOn(globalThis, 'setInterval')
  await manage({ NOTIFY_SOCKET: '/run/x' }).ready('')
  expect(timer).not.toHaveBeenCalled()
  timer.mockRestore()
})

it('goes on where systemd cannot be told, and says in the log what lacks', async () => {
  const log = openLog('silent')
  const error = vi.spyOn(log, 'error')
  await findServiceManager(log, { PATH: '/nowhere', NOTIFY_SOCKET: '/run/x' }).ready('')
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ event: 'systemd not told' }))
})
