import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort, type RunningServer } from './start-server.ts'

const documents = resolve(import.meta.dirname, '..', '..', 'docs')

/** Proxies whose example files are tried, by the program that runs each. */
export const proxyPrograms = { nginx: '/usr/sbin/nginx', Caddy: '/usr/bin/caddy' } as const
export type ProxyName = keyof typeof proxyPrograms

export interface RunningProxy {
  port: number
  /** Where the proxy may write; empty of bodies, if it passes them on as they come. */
  folder: string
  /** All that the proxy wrote into logs so far. */
  logged: () => string
  close: () => Promise<void>
}

/**
 * Runs a proxy by its example file of docs/, in which ports, certificate and name alone are other ones.
 * The proxy shows the certificate that the server signed itself.
 */
export async function startProxy(
  name: ProxyName,
  server: Pick<RunningServer, 'address' | 'dataFolder'>,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'hilum-proxy-'))
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  const certificate = join(server.dataFolder, 'tls', 'self-signed.crt')
  const key = join(server.dataFolder, 'tls', 'self-signed.key')
  const own: Replacements = [
    [/images\.example\.org/g, name === 'Caddy' ? `https://localhost:${port}` : 'localhost'],
    [/\/etc\/ssl\/hilum\/fullchain\.pem/g, certificate],
    [/\/etc\/ssl\/hilum\/privkey\.pem/g, key],
    [/127\.0\.0\.1:8470/g, new URL(server.address).host],
    [/\/var\/log\/nginx\//g, `${folder}/`],
    [/listen 443 /g, `listen 127.0.0.1:${port} `],
    [/listen 80;/g, `listen 127.0.0.1:${plainPort};`],
    [/^ *listen \[::\].*\n/gm, ''],
  ]
  const child = name === 'nginx' ? startNginx(folder, own) : startCaddy(folder, own)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const close = async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await answers(port)); tries++) {
    if (child.exitCode !== null || tries > 600) {
      await close()
      throw new Error(`${name} does not start:\n${said}`)
    }
    await wait(50)
  }
  const logs = ['access.log', 'hilum.log', 'hilum-error.log'].map((file) => join(folder, file))
  const logged = () => [said, ...logs.filter(existsSync).map((file) => readFileSync(file, 'utf8'))].join('\n')
  return { port, folder, logged, close }
}

type Replacements = readonly (readonly [RegExp, string])[]

/** The example is written for what Debian's own file puts around it, which is here what little is needed of it. */
function startNginx(folder: string, own: Replacements): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http { access_log ${join(folder, 'access.log')}; ${paths.join(' ')}\n${ownExample('nginx.conf', own)} }`,
  )
  return spawn(proxyPrograms.nginx, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function startCaddy(folder: string, own: Replacements): ChildProcess {
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, ownExample('Caddyfile', own).replace('{\n', '{\n\tadmin off\n\tauto_https disable_redirects\n'))
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return spawn(proxyPrograms.Caddy, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** The example with ports and paths of this run. @throws when a replacement has nothing to replace in any example */
function ownExample(file: 'nginx.conf' | 'Caddyfile', own: Replacements): string {
  let text = readFileSync(join(documents, file), 'utf8').replace(/^#.*\n/gm, '')
  for (const [from, to] of own) text = text.replace(from, to)
  if (/example|:8470|\/etc\//.test(text)) throw new Error(`${file} keeps a name or path of the example:\n${text}`)
  return text
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (isThere: boolean) => {
      socket.destroy()
      done(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

for (const [name, program] of Object.entries(proxyPrograms))
  if (!existsSync(program)) process.stderr.write(`\n!! ${name} is not installed: its flow DID NOT RUN.\n`)
