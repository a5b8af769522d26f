import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newUid } from '@hilum/dicom/uid'
import { findSystemBinaries } from '@hilum/server/db/embedded-postgres-binaries'
import { callWell, openSession } from '../support/call.ts'
import { makeImage } from '../support/made-disc.ts'
import { findFreePort, type RunningServer, startServer } from '../support/start-server.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { NotRunnable } from './small-disk.ts'

const LANES = 4
/** Load before each event, and after the first success behind it. */
const CALM_MS = 15_000
const RECOVER_MS = 180_000
const account = { uid: 65_534, gid: 65_534 }

/** Two processes and two PostgreSQLs, each of which is killed under load. */
export const failover: ProofPart = {
  name: 'failover',
  title: 'Two processes and two PostgreSQLs, killed under load',
  method: `Two processes of Hilum work over one store and a PostgreSQL of Debian's that copies itself to a standby
(synchronous replication); both reach it at one address, which leads to the primary. ${LANES} clients send images without a
pause, each in turn to both processes as a proxy would, and send again what was not answered. In turn each process is killed
(SIGKILL) and started again; the primary is killed and the standby promoted, the address stays; and the new primary is
killed and started again. Every image that was acknowledged must be read back in the end, and \`hilum verify\` must find
nothing.`,
  run: runFailover,
}

interface Attempt {
  at: number
  /** The outcome that the client saw: a status, or the error of the connection. */
  seen: string
}

async function runFailover({ folder, say }: Stage): Promise<Outcome> {
  const programs = findSystemBinaries()?.folder
  if (programs === undefined || process.getuid?.() !== 0)
    throw new NotRunnable('it takes root and a PostgreSQL of Debian’s')
  const site = await openDatabases(folder, programs)
  const settings = { DATABASE_URL: site.url, HILUM_ROLES: 'web,worker' }
  const first = await startServer(settings)
  const second = await startServer({ ...settings, HILUM_DATA: first.dataFolder })
  const servers = [first, second]
  site.copyEveryCommit()
  const load = await startLoad(servers)
  const rows: string[][] = []
  const faults: string[] = []
  const during = async (event: string, act: () => Promise<void>) => {
    await wait(CALM_MS)
    const from = Date.now()
    await act()
    const until = await load.waitForCalm(from)
    if (until === undefined) faults.push(`${event}: uploads did not go on within ${RECOVER_MS / 1000} s`)
    await wait(2_000)
    rows.push([event, ...load.describe(from, until ?? Date.now())])
    say(rows.at(-1)?.join(' | ') ?? '')
  }
  try {
    for (const [index, server] of servers.entries())
      await during(`Process ${index + 1} killed, started again`, async () => {
        await server.kill()
        await wait(3_000)
        await server.start()
      })
    await during('Primary killed, standby promoted', site.failOver)
    await during('New primary killed, started again', site.restart)
    await wait(CALM_MS)
    const acknowledged = await load.end()
    let lost = 0
    for (const { address, bytes } of acknowledged) {
      const reply = await fetch(`${first.address}${address}`)
      if (reply.status !== 200 || !Buffer.from(await reply.arrayBuffer()).equals(Buffer.from(bytes))) lost += 1
    }
    if (lost > 0) faults.push(`${lost} of ${acknowledged.length} acknowledged images were not given back`)
    const verified = await verify(first.dataFolder, site.url)
    if (verified !== undefined) faults.push(verified)
    return {
      table: [['Event', 'Refused or cut', 'Seen by clients', 'Longest time without a success'], ...rows],
      notes: [`${acknowledged.length} images were acknowledged, and all read back but ${lost}.`],
      faults,
    }
  } finally {
    await second.stop().catch(() => undefined)
    await first.close().catch(() => undefined)
    await site.close()
  }
}

/** Not in one wait of this process, through which the database is reached. @returns the faults in words */
async function verify(dataFolder: string, url: string): Promise<string | undefined> {
  const hilum = resolve(import.meta.dirname, '..', '..', 'server', 'src', 'cli', 'hilum.ts')
  const env = { PATH: process.env['PATH'], HILUM_DATA: dataFolder, DATABASE_URL: url }
  try {
    await promisify(execFile)(process.execPath, [hilum, 'verify'], { env })
    return undefined
  } catch (error) {
    return `hilum verify: ${error instanceof Error ? error.message.slice(0, 600) : String(error)}`
  }
}

async function startLoad(servers: readonly RunningServer[]) {
  const [{ address } = { address: '' }] = servers
  const sid = await openSession(address, 'staff')
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const place = (namespaces as { uuid: string; name: string }[]).find(({ name }) => name === 'Emergency Department')
  const attempts: Attempt[] = []
  const acknowledged: { address: string; bytes: Uint8Array }[] = []
  const over = new AbortController()
  const send = async (lane: number) => {
    for (let turn = lane; !over.signal.aborted; turn++) {
      const [studyUid, sopUid] = [newUid(), newUid()]
      const bytes = makeImage({ name: 'LOAD^FAILOVER', studyUid, sopUid })
      for (; !over.signal.aborted; turn++) {
        const to = servers[turn % servers.length]?.address ?? ''
        const seen = await upload(`${to}/api/v3/storage/namespace/${place?.uuid}/image?sid=${sid}`, bytes)
        attempts.push({ at: Date.now(), seen })
        if (seen === '202') {
          const image = `study/${place?.uuid}/${studyUid}/image/${sopUid}/version/*?sid=${sid}`
          acknowledged.push({ address: `/api/v3/storage/${image}`, bytes })
          break
        }
        await wait(200)
      }
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => send(lane)))
  return {
    /** @returns when the last of five seconds without a failure was; undefined where they did not come in time */
    waitForCalm: async (from: number): Promise<number | undefined> => {
      for (const end = Date.now() + RECOVER_MS; Date.now() < end; await wait(250)) {
        const late = attempts.filter(({ at }) => at > Math.max(from, Date.now() - 5_000))
        if (late.length > 10 && late.every(({ seen }) => seen === '202')) return Date.now()
      }
      return undefined
    },
    describe: (from: number, until: number): string[] => {
      const seen = attempts.filter(({ at }) => at >= from && at <= until)
      const counts = new Map<string, number>()
      for (const one of seen) if (one.seen !== '202') counts.set(one.seen, (counts.get(one.seen) ?? 0) + 1)
      const successes = [from, ...seen.filter((one) => one.seen === '202').map(({ at }) => at)]
      const gap = Math.max(0, ...successes.slice(1).map((at, index) => at - (successes[index] ?? at)))
      const failed = [...counts.values()].reduce((sum, one) => sum + one, 0)
      return [
        `${failed} of ${seen.length}`,
        [...counts].map(([what, count]) => `${what} (${count})`).join(', ') || 'nothing',
        `${(gap / 1000).toFixed(1)} s`,
      ]
    },
    end: async () => {
      over.abort()
      await lanes
      return acknowledged
    },
  }
}

async function upload(address: string, bytes: Uint8Array): Promise<string> {
  try {
    const init = { method: 'POST', body: new Uint8Array(bytes), signal: AbortSignal.timeout(60_000) }
    const reply = await fetch(address, init)
    await reply.arrayBuffer()
    return String(reply.status)
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error && 'code' in cause
      ? String(cause.code)
      : cause instanceof Error
        ? cause.name
        : 'error'
  }
}

/** A primary and its synchronous standby, behind an address that leads to the one that is the primary. */
async function openDatabases(folder: string, programs: string) {
  const parent = join(folder, 'databases')
  await mkdir(parent)
  execFileSync('chown', ['nobody:', parent])
  const run = (name: string, args: readonly string[]) =>
    void execFileSync(join(programs, name), args, { ...account, cwd: parent, stdio: 'pipe' })
  const ports = [await findFreePort(), await findFreePort()] as const
  const [primary, standby] = [join(parent, 'primary'), join(parent, 'standby')]
  const start = async (data: string, port: number, options = '') => {
    const words = `-p ${port} -k ${parent} -c listen_addresses=127.0.0.1 ${options}`
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...words.trim().split(' ')], {
      ...account,
      stdio: 'ignore',
    })
    child.unref()
    await answering(port)
  }
  run('initdb', ['-D', primary, '-U', 'hilum', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'])
  await start(primary, ports[0])
  run('psql', ['-h', parent, '-p', String(ports[0]), '-U', 'hilum', '-d', 'postgres', '-c', 'create database hilum'])
  run('pg_basebackup', [
    '-h',
    parent,
    '-p',
    String(ports[0]),
    '-U',
    'hilum',
    '-D',
    standby,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  await chmod(standby, 0o700)
  await start(standby, ports[1])
  const set = (port: number, statement: string) =>
    run('psql', ['-h', parent, '-p', String(port), '-U', 'hilum', '-d', 'hilum', '-c', statement])
  let target = ports[0] as number
  const sockets = new Set<Socket>()
  const relay = createServer((socket) => {
    const onward = connect({ host: '127.0.0.1', port: target })
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => (sockets.delete(one), other.destroy()))
      one.pipe(other)
    }
  })
  const port = await findFreePort()
  await new Promise<void>((done) => relay.listen(port, '127.0.0.1', done))
  return {
    url: `postgresql://hilum@127.0.0.1:${port}/hilum`,
    /** From now on a commit waits until the standby has written it, too. */
    copyEveryCommit: () => {
      set(ports[0], `alter system set synchronous_standby_names = '*'`)
      set(ports[0], 'select pg_reload_conf()')
    },
    failOver: async () => {
      killPostmaster(primary)
      await wait(2_000)
      // commits of the new primary wait for nobody: it is alone
      run('psql', ['-h', parent, '-p', String(ports[1]), '-U', 'hilum', '-d', 'hilum', '-c', 'select pg_promote()'])
      set(ports[1], `alter system set synchronous_standby_names = ''`)
      set(ports[1], 'select pg_reload_conf()')
      target = ports[1]
    },
    restart: async () => {
      killPostmaster(standby)
      await wait(3_000)
      await start(standby, ports[1])
    },
    close: async () => {
      relay.close()
      for (const socket of sockets) socket.destroy()
      for (const data of [primary, standby]) killPostmaster(data)
      await wait(1_000)
    },
  }
}

function killPostmaster(data: string): void {
  const file = join(data, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended already
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isThere = await new Promise<boolean>((done) => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => done(true)).once('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
    await wait(100)
  }
  throw new Error(`Nobody answers at port ${port}`)
}
