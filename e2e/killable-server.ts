import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '..')
const START_MS = 120_000

export type KillableServer = {
  /** `http://127.0.0.1:port` */
  address: string
  dicomPort: number
  /** From the start of the process until it was ready. */
  startMs: number
  /** Ends the process as a power cut of the machine would: at once, nothing tidied. */
  kill: () => Promise<void>
  stop: () => Promise<void>
  /** Whether the process ended, by itself or because it was told to. */
  hasEnded: () => boolean
}

/** Starts the real server as a process of its own, with the demo organisation, over the data in `dataFolder`. */
export async function startServer(
  dataFolder: string,
  password: string,
  settings: Record<string, string> = {},
): Promise<KillableServer> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(repository, 'server', 'src', 'main.ts')], {
    env: {
      ...serverEnvironment(),
      HILUM_DATA: dataFolder,
      // Any free ones: a port looked for beforehand may be another's by the time it is opened.
      HILUM_PORT: '0',
      HILUM_HTTPS_PORT: '0',
      HILUM_DICOM_PORT: '0',
      HILUM_DEMO_PASSWORD: password,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { address, dicomPort } = await readAddresses(child)
  return {
    address,
    dicomPort,
    startMs: performance.now() - began,
    kill: () => endBy(child, 'SIGKILL'),
    stop: () => endBy(child, 'SIGTERM'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

/** Settings of whoever runs the tests must not reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HILUM_') && name !== 'DATABASE_URL'),
  )
}

function readAddresses(child: ChildProcess): Promise<{ address: string; dicomPort: number }> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => fail('did not start in time'), START_MS)
    const fail = (reason: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`The server ${reason}:\n${output}`))
    }
    const read = (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-20_000)
      const address = /Hilum is ready at (http:\S+)/.exec(output)?.[1]
      const dicomPort = /DICOM senders reach it at \S+:(\d+)\n/.exec(output)?.[1]
      if (!address || !dicomPort) return
      clearTimeout(timer)
      resolve({ address, dicomPort: Number(dicomPort) })
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => fail(`ended with ${code}`))
  })
}

function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
