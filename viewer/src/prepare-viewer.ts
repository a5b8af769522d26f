import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bundleConfiguration } from './bundle-configuration.ts'
import { fetchOhifPackage } from './fetch-package.ts'
import { OHIF_START_SCRIPT, OHIF_STYLE, ohifIndexPage } from './ohif-pages.ts'
import { ohifRelease } from './ohif-release.ts'
import { createOhifPatch, isTakenOver } from './patch-ohif.ts'
import { precompress } from './precompress.ts'
import { readTar } from './read-tar.ts'
import { VIEWER_BASE } from './viewer-base.ts'
import { isViewerPrepared } from './viewer-files.ts'

type PreparedViewer = { dir: string; version: string }

type PrepareProgress = { step: 'fetching' | 'patching'; filesDone: number }

type PrepareViewerOptions = {
  cacheDir: string
  signal?: AbortSignal
  onProgress?: (progress: PrepareProgress) => void
  /** Told at once which folder it will be; another process may be the first to finish it. */
  onNamed?: (dir: string) => void
  /** A tarball that is already here, its hash not checked; else npm fetches the pinned one. */
  tarball?: string
}

const DIST = 'package/dist/'
const UNFINISHED = '.preparing-'
const FORGET_UNFINISHED_MS = 60 * 60_000
/** A folder of another release may be served by a process that has not been started anew since. */
const FORGET_OLD_MS = 30 * 86_400_000

/**
 * Makes OHIF ready to be served under /viewer/, once per release and per state of our patches; later calls find it.
 * Several processes may call it at once: each works in a folder of its own and the first to finish wins.
 * @throws Error in words for the operator when it cannot be fetched or is not what we know; the product then goes on
 * with the quick viewer alone
 */
export async function prepareViewer(options: PrepareViewerOptions): Promise<PreparedViewer> {
  const configuration = await bundleConfiguration()
  const version = `ohif-${ohifRelease.version}-${await hashOfPatches(configuration)}`
  const dir = join(options.cacheDir, version)
  await mkdir(options.cacheDir, { recursive: true })
  await removeLeft(options.cacheDir, version)
  options.onNamed?.(dir)
  if (await isViewerPrepared(dir)) {
    const now = new Date()
    await utimes(dir, now, now).catch(() => undefined) // a folder that may only be read stays as it is
    return { dir, version }
  }
  const work = await mkdtemp(join(options.cacheDir, `${UNFINISHED}${thisMachine}-${process.pid}-`))
  try {
    options.onProgress?.({ step: 'fetching', filesDone: 0 })
    const tarball = options.tarball ?? (await fetchOhifPackage(work, options.signal))
    const made = join(work, 'viewer')
    await patchInto(made, tarball, configuration, options)
    await putInPlace(made, dir)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return { dir, version }
}

async function patchInto(
  made: string,
  tarball: string,
  configuration: string,
  options: PrepareViewerOptions,
): Promise<void> {
  const patch = createOhifPatch()
  let appScript: string | undefined
  let filesDone = 0
  const written = new Set<string>()
  // The error handed to the callback also ends the loop that reads the stream; there it is seen.
  const unpacked = pipeline(createReadStream(tarball), createGunzip(), () => undefined)
  for await (const file of readTar(unpacked, (path) => path.startsWith(DIST) && isTakenOver(path.slice(DIST.length)))) {
    options.signal?.throwIfAborted()
    const path = file.path.slice(DIST.length)
    if (path.split('/').includes('..')) throw new Error('The viewer package names a file outside its folder')
    if (/^app\.bundle\.[0-9a-f]+\.js$/.test(path)) appScript = path
    await writeFinished(made, path, await patch.apply(path, file.bytes))
    written.add(path)
    options.onProgress?.({ step: 'patching', filesDone: ++filesDone })
  }
  patch.finish()
  if (appScript === undefined) throw new Error('The viewer package has no start script')
  await access(join(made, ohifRelease.decodeWorker))
  const ahead = [appScript, ...ohifRelease.loadedFirst.filter((name) => written.has(name))]
  const preloaded = ahead.slice(1).filter((name) => name !== ohifRelease.decodeWorker)
  await writeFinished(made, 'index.html', Buffer.from(ohifIndexPage(appScript, preloaded)))
  await writeFinished(made, 'ahead.json', Buffer.from(JSON.stringify(ahead.map((name) => `${VIEWER_BASE}${name}`))))
  await writeFinished(made, 'start.js', Buffer.from(OHIF_START_SCRIPT))
  await writeFinished(made, 'app-config.js', Buffer.from(configuration))
  await writeFinished(made, 'hilum.css', Buffer.from(OHIF_STYLE))
}

async function writeFinished(made: string, path: string, bytes: Buffer): Promise<void> {
  const target = join(made, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, bytes)
  await precompress(target, bytes)
}

async function putInPlace(made: string, dir: string): Promise<void> {
  try {
    await rename(made, dir)
  } catch (cause) {
    // Another process was faster; what it made is the same.
    if (!(await isViewerPrepared(dir))) throw cause
  }
}

/**
 * Removes what killed processes left, as soon as they are gone, and folders of other releases with which nothing was
 * started for a month. An unfinished folder of another machine goes after an hour.
 */
async function removeLeft(cacheDir: string, version: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const isUnfinished = name.startsWith(UNFINISHED)
    if (!isUnfinished && (name === version || !/^ohif-[\d.]+-[0-9a-f]{12}$/.test(name))) continue
    const path = join(cacheDir, name)
    const age = Date.now() - (await madeAt(path))
    const isForgotten = age > (isUnfinished ? FORGET_UNFINISHED_MS : FORGET_OLD_MS)
    if (isForgotten || (isUnfinished && isMakerGone(name))) await rm(path, { recursive: true, force: true })
  }
}

const thisMachine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Whether the process that made an unfinished folder on this machine has ended. */
function isMakerGone(name: string): boolean {
  const [machine, pid] = name.slice(UNFINISHED.length).split('-')
  if (machine !== thisMachine || !/^\d+$/.test(pid ?? '')) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function madeAt(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => Date.now(),
  )
}

/** A change to anything that shapes the result makes a new folder, so nobody serves stale patches. */
async function hashOfPatches(configuration: string): Promise<string> {
  const hash = createHash('sha256').update(ohifRelease.integrity).update(configuration).update(OHIF_STYLE)
  for (const name of [
    'patch-ohif.ts',
    'ohif-colours.ts',
    'ohif-texts.ts',
    'ohif-release.ts',
    'ohif-pages.ts',
    'prepare-viewer.ts',
    'precompress.ts',
  ]) {
    hash.update(await readFile(new URL(name, import.meta.url)))
  }
  return hash.digest('hex').slice(0, 12)
}
