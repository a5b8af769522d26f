import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type KillableServer, startServer } from '../../killable-server.ts'

const PASSWORD = 'crash-run-password-12'
const GROUP = 'Emergency Department'
/** Where it cannot be fetched at all, the rest works all the same. */
const VIEWER_MS = 240_000
/** By which C-STORE calls that group. */
export const AE_TITLE = 'HILUM'

/** One installation that goes down and comes up again, and somebody who is signed in. */
export class Site {
  readonly dataFolder: string
  readonly #settings: Record<string, string>
  #server: KillableServer | undefined
  sid = ''
  namespace = ''
  /** Milliseconds that the starts over existing data took. */
  readonly startsMs: number[] = []

  constructor(dataFolder: string, settings: Record<string, string> = {}) {
    this.dataFolder = dataFolder
    this.#settings = settings
  }

  get server(): KillableServer {
    if (!this.#server) throw new Error('The server was not started')
    return this.#server
  }

  async start(): Promise<void> {
    this.#server = await this.#startServer()
    if (this.sid !== '') {
      this.startsMs.push(this.server.startMs)
      return
    }
    await this.#untilViewerIsReady()
    // compiled code is only kept by a process that ends in order
    await this.#server.stop()
    this.#server = await this.#startServer()
    const sid = await this.signIn()
    this.sid = sid
    const { namespaces } = await this.call<{ namespaces: { name: string; uuid: string }[] }>('session/user', { sid })
    this.namespace = namespaces.find((one) => one.name === GROUP)?.uuid ?? ''
    if (this.namespace === '') throw new Error(`The demo has no group ${GROUP}`)
  }

  async signIn(): Promise<string> {
    const credentials = { login: 'administrator@northside.example', password: PASSWORD }
    return (await this.call<{ sid: string }>('session/login', credentials)).sid
  }

  #startServer(): Promise<KillableServer> {
    const NODE_COMPILE_CACHE = join(this.dataFolder, 'compiled')
    return startServer(this.dataFolder, PASSWORD, { NODE_COMPILE_CACHE, ...this.#settings })
  }

  /** Else every start of one that is killed before long would begin to fetch the full viewer anew. */
  async #untilViewerIsReady(): Promise<void> {
    const end = Date.now() + VIEWER_MS
    while (Date.now() < end) {
      const { status } = await fetch(`${this.server.address}/viewer/app-config.js`)
      if (status === 200) return
      await delay(500)
    }
  }

  /** Starts one more process over the same data and the same database, for the same person. */
  async startBeside(): Promise<Site> {
    const database = findEmbeddedPostgres(join(this.dataFolder, 'postgres'))
    if (database === undefined) throw new Error('The first process runs no database')
    const beside = new Site(this.dataFolder, { ...this.#settings, DATABASE_URL: database })
    beside.sid = this.sid
    beside.namespace = this.namespace
    await beside.start()
    return beside
  }

  /** Kills the server, if any. */
  async end(): Promise<void> {
    await this.#server?.kill()
  }

  async call<Reply>(path: string, input: Record<string, string>): Promise<Reply> {
    const reply = await fetch(`${this.server.address}/api/v3/${path}`, {
      method: 'POST',
      body: new URLSearchParams(input),
    })
    const body = await reply.json()
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(body)}`)
    return body as Reply
  }

  /** An address of the storage API, with the session. */
  storage(path: string): string {
    return `${this.server.address}/api/v3/storage/${path}${path.includes('?') ? '&' : '?'}sid=${this.sid}`
  }

  /** The running server's database, for what only time would bring about. */
  async query<Row>(statement: string): Promise<Row[]> {
    const lines = (await readFile(join(this.dataFolder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    const client = new pg.Client({ host: lines[4], user: 'hilum', database: 'hilum' })
    await client.connect()
    try {
      return (await client.query(statement)).rows as Row[]
    } finally {
      await client.end()
    }
  }
}
