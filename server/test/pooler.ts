import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const program = '/usr/sbin/pgbouncer'
export const hasPgBouncer = existsSync(program)
if (!hasPgBouncer) process.stderr.write('pgbouncer is not installed: the tests of poolers did NOT run\n')

/** Runs PgBouncer before a database of the tests, and gives the database's address by way of it. */
export async function startPgBouncer(
  url: string,
  settings: Record<string, string>,
): Promise<{ url: string; close: () => Promise<void> }> {
  // an address with a socket's folder (`?host=`) names no host
  const { username, password, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
  const folder = await mkdtemp(join(tmpdir(), 'hilum-pooler-'))
  await chmod(folder, 0o755)
  const [name, port] = [pathname.slice(1), await findFreePort()]
  const host = searchParams.get('host') ?? '127.0.0.1'
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }).map(([key, value]) => `${key} = ${value}`)
  const target = `host=${host} port=${searchParams.get('port') ?? '5432'} dbname=${name} user=${username}${password === '' ? '' : ` password='${password}'`}`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n${name} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`)
  // PgBouncer does not run as root; the socket's folder lets its owner in alone
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 }
  const other = process.getuid?.() === 0 ? { uid, gid } : {}
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...other })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const close = async () => {
    if (child.exitCode === null) {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await answers(port)); tries++) {
    if (child.exitCode !== null || tries > 400) throw new Error(`PgBouncer does not start:\n${said}`)
    await wait(25)
  }
  return { url: `postgresql://${username}@127.0.0.1:${port}/${name}`, close }
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}

function findFreePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const at = probe.address()
      probe.close(() => done(typeof at === 'object' && at ? at.port : 0))
    })
  })
}
