import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { ohifRelease } from './ohif-release.ts'

const DOWNLOAD_LIMIT_MS = 10 * 60_000

/**
 * Has the machine's npm client fetch OHIF's package into a folder, so that its registry, proxy and cache settings hold.
 * @returns path of the tarball, its content checked against our pinned hash
 * @throws Error in words that can be shown to whoever runs the server
 */
export async function fetchOhifPackage(folder: string, signal?: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(DOWNLOAD_LIMIT_MS)
  await runNpm(
    [
      'pack',
      `${ohifRelease.package}@${ohifRelease.version}`,
      '--pack-destination',
      folder,
      '--ignore-scripts',
      '--prefer-offline',
    ],
    folder,
    signal === undefined ? limit : AbortSignal.any([signal, limit]),
  )
  const tarball = join(folder, ohifRelease.tarball)
  await checkIntegrity(tarball, ohifRelease.integrity)
  return tarball
}

/** @throws Error when the file's SHA-512 is not the pinned one ("sha512-" + base64, as npm writes it) */
export async function checkIntegrity(path: string, expected: string): Promise<void> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  const found = `sha512-${hash.digest('base64')}`
  if (found !== expected)
    throw new Error(`The viewer package is not the one we pinned: expected ${expected}, got ${found}`)
}

function runNpm(args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  // Under "npm start" npm names its own script; run by our Node it also works where the shell would find no npm.
  const npmScript = process.env['npm_execpath']
  const [command, first] = npmScript?.endsWith('npm-cli.js') ? [process.execPath, [npmScript]] : ['npm', []]
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args, '--loglevel=error'], {
      cwd,
      signal,
      env: environmentOutsideWorkspace(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said = (said + text.toString('utf8')).slice(-2000)
    })
    child.on('error', (cause) =>
      reject(new Error(`npm could not fetch the viewer package: ${cause.message}`, { cause })),
    )
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm could not fetch the viewer package (exit ${code}): ${said.trim()}`))
    })
  })
}

/** A parent "npm run -w …" leaves variables that would make this npm look for a workspace in the empty folder. */
function environmentOutsideWorkspace(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(workspace|workspaces|local_prefix|json|dry_run)$/i.test(name),
    ),
  )
}
