import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readImports } from '../read-imports.ts'
import { listPackagesOf, type LockedPackage } from './package-closure.ts'

/** One file of a release; a link where `link` says where it points. */
export interface ReleaseFile {
  /** Where it lies in the release. */
  to: string
  /** Where it comes from, absolute; of a link the link itself. */
  from: string
  link?: string
}

/** The workspaces that a release runs, without those that are built for browsers. */
export const runningWorkspaces = ['server', 'contract', 'dicom'] as const
/** Workspaces that are inside a release as what was built of them. */
export const builtWorkspaces = ['web', 'viewer'] as const

const entryPoints = ['server/src/main.ts', 'server/src/cli/hilum.ts']
const documents = [
  'LICENSE',
  'docs/deploy.md',
  'docs/log.md',
  'docs/conformance.md',
  'docs/conformance-dimse.md',
  'docs/conformance-hl7.md',
  'docs/Caddyfile',
  'docs/Containerfile',
  'docs/compose.yaml',
  'docs/grafana.json',
  'docs/licences.md',
  'docs/nginx.conf',
  'docs/hilum.service',
  'docs/decisions/0012-tokens-of-pages.md',
  'docs/decisions/0112-no-pooler.md',
  'docs/proof/failover.md',
  'docs/proof/release.md',
]

/** Node comes as one program, and needs none of the package that brought it. */
const nodePackage = 'node_modules/node'

/** Sources that run, by their imports, with the files beside them that they read. */
export function listSources(root: string): { files: string[]; packages: Set<string> } {
  const files = new Set(entryPoints)
  const packages = new Set<string>()
  for (const file of files) {
    if (!file.endsWith('.ts')) continue
    for (const target of readImports(root, file)) {
      if (target.startsWith('node_modules/')) packages.add(nameOf(target))
      else if (!target.startsWith('node:')) files.add(target)
    }
  }
  const folders = [...new Set([...files].map((file) => file.split('/')[0] ?? ''))]
  for (const file of trackedFiles(
    root,
    folders.map((folder) => `${folder}/src`),
  ))
    if (!/\.(tsx?|md|html|css)$/.test(file)) files.add(file)
  return { files: [...files].toSorted(), packages }
}

function nameOf(target: string): string {
  const [first = '', second = ''] = target.slice('node_modules/'.length).split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function trackedFiles(root: string, folders: string[]): string[] {
  const said = execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: root, encoding: 'utf8' })
  return said.split('\0').filter((file) => file !== '' && existsSync(path.join(root, file)))
}

/** Packages that a release holds as files. */
export function listReleasePackages(root: string): LockedPackage[] {
  return listPackagesOf(root, runningWorkspaces).filter(({ place }) => place !== nodePackage)
}

/** Every file that a release takes from the checkout, in order; what is made for it comes beside these. */
export function listReleaseFiles(root: string): ReleaseFile[] {
  const from = (to: string) => ({ to, from: path.join(root, to) })
  const files = listSources(root).files.filter((file) => !file.endsWith('/package.json'))
  const workspaces = [...new Set(files.map((file) => file.split('/')[0] ?? ''))]
  const listed: ReleaseFile[] = [
    ...files.map(from),
    ...documents.map(from),
    ...workspaces.map((workspace) => from(`${workspace}/package.json`)),
    ...workspaces.map((workspace) => ({
      to: `node_modules/@hilum/${workspace}`,
      from: path.join(root, workspace),
      link: `../../${workspace}`,
    })),
    { to: 'hilum.service', from: path.join(root, 'docs', 'hilum.service') },
    { to: 'bin/node', from: path.join(root, nodePackage, 'bin', 'node') },
    ...listReleasePackages(root).flatMap(({ place }) => filesOfPackage(root, place)),
  ]
  return listed.toSorted((a, b) => (a.to < b.to ? -1 : 1))
}

/** A package without its declarations, maps, tests and measurements, and without packages inside it, which are listed apart. */
function filesOfPackage(root: string, place: string): ReleaseFile[] {
  const files: ReleaseFile[] = []
  const take = (folder: string) => {
    for (const name of readdirSync(path.join(root, folder))) {
      const to = `${folder}/${name}`
      const inside = to.slice(place.length + 1)
      if (isLeftOut(inside)) continue
      const from = path.join(root, to)
      if (lstatSync(from).isDirectory()) take(to)
      else files.push({ to, from })
    }
  }
  take(place)
  return [...files.filter(({ from }) => !lstatSync(from).isSymbolicLink()), ...linksOfPostgres(root, place)]
}

/** Said of a path inside a package. */
export function isLeftOut(inside: string): boolean {
  return (
    /(^|\/)node_modules$/.test(inside) ||
    /\.(map|d\.[cm]?ts)$/.test(inside) ||
    /(^|\/)(tests?|__tests__|bench(marks?)?|coverage|\.github|\.airtap\.yml)$/.test(inside) ||
    /[.-](test|spec|bench)\.[cm]?[jt]sx?$/.test(inside)
  )
}

/** npm packs no links: PostgreSQL's libraries get theirs from the list that its package brings. */
function linksOfPostgres(root: string, place: string): ReleaseFile[] {
  const list = path.join(root, place, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  return links.map(({ source, target }) => ({
    to: `${place}/${target}`,
    from: path.join(root, place, target),
    link: path.posix.basename(source),
  }))
}
