import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { serverEnvironment, serverFlags } from '../../tools/server-flags.mjs'
import { childrenOf, cpuSeconds, cpuSecondsOfTree, programOf } from './process-use.ts'
import { collectOutput, freePort, stopChild, waitFor } from './child-process.ts'
import { openConnections, succeed } from './http-client.ts'

export type HilumServer = {
  /** `http://127.0.0.1:port` */
  address: string
  dicomPort: number
  dataFolder: string
  /** Process number of the server itself. */
  pid: number
  /** Process number of its PostgreSQL. */
  databasePid: number
  /** A live session of the administrator. */
  sid: string
  /** Namespace of the one group. */
  namespace: string
  /** CPU seconds so far, of the server and of its PostgreSQL. */
  cpu: () => { server: number; database: number }
  /** One call of the API by POST and JSON. */
  call: (path: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>
  stop: () => Promise<void>
}

const repository = resolve(import.meta.dirname, '..', '..')
const START_MS = 120_000
/** Administrator of each measured installation. */
export const administrator = { email: 'bench@hilum.example', password: 'Slices2026weighed' }

/** Starts an empty installation as a process of its own and signs its administrator in. */
export async function startHilum(dataFolder: string, database?: { url: string; pid: number }): Promise<HilumServer> {
  // PostgreSQL runs as another user when we are root, and must reach its folder
  await mkdir(dataFolder, { recursive: true, mode: 0o755 })
  const [port, httpsPort, dicomPort] = [await freePort(), await freePort(), await freePort()]
  const child = spawn(process.execPath, [...serverFlags, join(repository, 'server', 'src', 'main.ts'), '--empty'], {
    env: {
      ...withoutSettings(),
      ...serverEnvironment,
      HILUM_DATA: dataFolder,
      HILUM_PORT: String(port),
      // as an installation has it: metadata are written ahead with these addresses
      HILUM_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HILUM_HTTPS_PORT: String(httpsPort),
      HILUM_DICOM_PORT: String(dicomPort),
      HILUM_ADMIN_EMAIL: administrator.email,
      HILUM_ADMIN_PASSWORD: administrator.password,
      ...(database ? { DATABASE_URL: database.url } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child)
  const stop = () => stopChild(child)
  try {
    const address = await waitFor(child, output, START_MS, () => /Hilum is ready at (http:\S+)/.exec(output())?.[1])
    const pid = child.pid ?? 0
    const databasePid = database?.pid ?? childrenOf(pid).find((one) => programOf(one) === 'postgres') ?? 0
    const agent = openConnections(4)
    const call = async (path: string, input: Record<string, unknown>) => {
      const answer = await succeed(agent, {
        method: 'POST',
        url: `${address}/api/v3/${path}`,
        headers: { 'content-type': 'application/json' },
        body: [Buffer.from(JSON.stringify(input))],
        isBodyRead: true,
      })
      return JSON.parse(answer.body.toString()) as Record<string, unknown>
    }
    const { email: login, password } = administrator
    const sid = String((await call('session/login', { login, password })).sid)
    const places = (await call('user/namespace/list', { sid })).namespaces as { uuid: string; type: string }[]
    const group = places.find((one) => one.type === 'group_id')
    if (!group) throw new Error('The installation has no group')
    return {
      address,
      dicomPort,
      dataFolder,
      pid,
      databasePid,
      sid,
      namespace: group.uuid,
      cpu: () => ({ server: cpuSeconds(pid), database: cpuSecondsOfTree(databasePid) }),
      call,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Settings of whoever measures must not reach the server. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HILUM_') && name !== 'DATABASE_URL'),
  )
}
