/* Runs inside the network namespace of the proof `release`, by the release's own Node: nothing else may be imported. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const { place, data, poor, user, image }: Record<'place' | 'data' | 'poor' | 'image', string> & { user: number } =
  JSON.parse(process.argv[2] ?? '')
const port = 18_470
const password = 'release-check-password-12'
const address = `http://127.0.0.1:${port}`
const env = {
  PATH: poor,
  HOME: data,
  HILUM_DATA: join(data, 'hilum'),
  HILUM_PORT: String(port),
  HILUM_HTTPS_PORT: '0',
  HILUM_DICOM_PORT: '0',
  HILUM_DEMO_PASSWORD: password,
}
const asUser = { env, uid: user, gid: user, cwd: '/' }
const startLimitMs = 120_000
let output = ''

async function step(name: string, act: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const fault = await act().then(
    () => undefined,
    (error: unknown) => `${error instanceof Error ? error.message : String(error)} ${output.slice(-1500)}`,
  )
  const ms = performance.now() - began
  process.stdout.write(`${JSON.stringify({ step: name, ms, ...(fault === undefined ? {} : { fault }) })}\n`)
}

function must(isTrue: boolean, words: string): void {
  if (!isTrue) throw new Error(words)
}

async function start(): Promise<ChildProcess> {
  const child = spawn(join(place, 'hilum'), [], { ...asUser, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const end = Date.now() + startLimitMs
  while (child.exitCode === null && Date.now() < end) {
    // the line after every listener is open; the probe answers before the demo is made
    if (output.includes('Hilum is ready') && (await statusOf('/health/ready')) === 200) return child
    await delay(100)
  }
  throw new Error(`It did not get ready (${child.exitCode ?? 'still starting'}).`)
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  must((await ended) === 0, `It ended with ${child.exitCode}.`)
  output = ''
}

function statusOf(path: string): Promise<number> {
  return fetch(`${address}${path}`).then(
    ({ status }) => status,
    () => 0,
  )
}

async function call(path: string, input: Record<string, string>) {
  const reply = await fetch(`${address}/api/v3/${path}`, { method: 'POST', body: new URLSearchParams(input) })
  must(reply.status === 200, `${path} answered ${reply.status}`)
  return (await reply.json()) as { sid: string; namespaces: { uuid: string; name: string }[] }
}

/** A command beside the server, which must end well. */
async function command(...args: string[]): Promise<void> {
  const { status, stdout, stderr } = spawnSync(join(place, 'hilum'), args, { ...asUser, encoding: 'utf8' })
  must(status === 0, `hilum ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
}

async function sendImage(): Promise<void> {
  const { sid } = await call('session/login', { login: 'administrator@northside.example', password })
  const { namespaces } = await call('session/user', { sid })
  const group = namespaces.find(({ name }) => name === 'Emergency Department')?.uuid ?? ''
  const bytes = readFileSync(image)
  const sent = await fetch(`${address}/api/v3/storage/namespace/${group}/image?sid=${sid}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
  })
  must(sent.status === 202, `The image was answered ${sent.status} ${await sent.text()}`)
}

let running: ChildProcess | undefined
await step('Files as in SHA256SUMS', async () => {
  const { status, stderr } = spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: place, encoding: 'utf8' })
  must(status === 0, stderr)
})
await step('First start, with the demo', async () => {
  running = await start()
})
await step('Web app and full viewer', async () => {
  for (const path of ['/', '/viewer/app-config.js', '/proviewer/'])
    must((await statusOf(path)) === 200, `${path} answered ${await statusOf(path)}`)
})
await step('One image stored', sendImage)
await step('hilum verify', () => command('verify'))
await step('hilum export', () => command('export', join(data, 'export')))
await step('The image is in the export', async () => {
  const sha256 = createHash('sha256').update(readFileSync(image)).digest('hex')
  const list = spawnSync('grep', ['-rl', sha256, join(data, 'export')], { encoding: 'utf8', env: process.env })
  must(list.stdout !== '', 'Its hash stands in no file of the export.')
})
await step('Stop in order', async () => running && (await stop(running)))
await step('Start over the data', async () => {
  running = await start()
})
await step('Stop again', async () => running && (await stop(running)))
