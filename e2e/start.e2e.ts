import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../server/test/made-certificate.ts'

const root = resolve(import.meta.dirname, '..')
const main = join(root, 'server', 'src', 'main.ts')

/** Starts the server and stops it in order once it is ready, unless it ended by itself; gives what it wrote. */
async function startOnce(settings: Record<string, string>): Promise<string> {
  return (await runOnce([process.execPath, main], settings)).output
}

/** @param act is called with everything said so far; without it the server is stopped once it is ready */
async function runOnce([program = '', ...args]: string[], settings: Record<string, string>, act = stopWhenReady) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('HILUM_') && name !== 'DATABASE_URL')
  const ports = { HILUM_PORT: '0', HILUM_HTTPS_PORT: '0', HILUM_DICOM_PORT: '0' }
  const child = spawn(program, args, {
    cwd: root,
    env: { ...Object.fromEntries(own), ...ports, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    act(output, child)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const [code] = (await once(child, 'close')) as [number | null]
  return { output, code }
}

const isReady = (said: string) => /^(They are kept in|The demo's users and passwords are in)/m.test(said)

function stopWhenReady(said: string, child: ChildProcess): void {
  if (isReady(said)) child.kill('SIGTERM')
}

async function emptyDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // started as root, the embedded PostgreSQL runs as another user, who must get in
  await chmod(folder, 0o755)
  return folder
}

async function takePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

it('tells the fresh passwords at the first start that goes well, also after one that met a taken port', async () => {
  const data = await emptyDataFolder()
  for (const setting of ['HILUM_PORT', 'HILUM_HTTPS_PORT', 'HILUM_DICOM_PORT']) {
    const failed = await startOnce({ HILUM_DATA: data, [setting]: await takePort() })
    expect(failed).toContain(`start with ${setting}=`)
    expect(failed).not.toContain('northside')
  }
  const first = await startOnce({ HILUM_DATA: data })
  expect(first).toContain('the passwords were made just now')
  expect(first).toMatch(/clinician@northside\.example +[a-z]{5}-\d{4}-[a-z]{5} +Clinician/)

  const second = await startOnce({ HILUM_DATA: data })
  expect(second).toContain(`The demo's users and passwords are in ${join(data, 'demo-users.json')}.`)
})

it('does not say that a password was made just now when it was given, nor repeats it', async () => {
  const output = await startOnce({ HILUM_DATA: await emptyDataFolder(), HILUM_DEMO_PASSWORD: 'Given1234password' })
  expect(output).toContain('with the password of HILUM_DEMO_PASSWORD')
  expect(output).not.toContain('made just now')
  expect(output).not.toContain('Given1234password')
})

it('ends in order, with 0, when npm is told to stop', async () => {
  const { output, code } = await runOnce(['npm', 'start'], { HILUM_DATA: await emptyDataFolder() })
  expect(output).toContain('Stopping.')
  expect(code).toBe(0)
})

it('goes on when a service manager sends HUP through the launcher, and reads a renewed certificate', async () => {
  const folder = await emptyDataFolder()
  const { certFile, keyFile } = await makeCertificate(join(folder, 'tls-of-ours'), 'first.example')
  const settings = { HILUM_DATA: folder, HILUM_TLS_CERT: certFile, HILUM_TLS_KEY: keyFile }
  const launched = [process.execPath, join(root, 'tools', 'with-node.mjs'), main]
  let hangUps = 0
  const { output, code } = await runOnce(launched, settings, (said, child) => {
    const seen = said.split('certificate read again').length - 1
    if (seen >= 2) child.kill('SIGTERM')
    else if (isReady(said)) for (; hangUps <= seen; hangUps++) child.kill('SIGHUP')
  })
  expect(output).toContain('certificate read again')
  expect(code).toBe(0)
})
