import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeRelease } from '../../tools/release/make-release.ts'
import { makeImage } from './crash/made-image.ts'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { newUid } from '@hilum/dicom/uid'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { NotRunnable } from './small-disk.ts'

/** A release on a machine that has nothing else and reaches nobody. */
export const release: ProofPart = {
  name: 'release',
  title: 'A release without a network',
  method: `\`npm run release\` makes the archive. It is unpacked into a folder of root's that nobody else may write to, and
started as an ordinary user with an empty data folder, in a network namespace that has the loopback interface alone, with a
PATH of a dozen programs (neither npm nor a compiler) and with the system's libatomic hidden. It must get ready, show the web
app and the full viewer, take an image and give the same bytes back, stop in order, and start once more over its data;
\`hilum verify\`, \`hilum export\`, and \`SHA256SUMS\` must find nothing.`,
  run: runRelease,
}

const root = resolve(import.meta.dirname, '..', '..')
const platform = `${process.platform}-${process.arch}`
/** Programs that the launcher and PostgreSQL ask for; no other can be found. */
const programs = ['sh', 'dirname', 'readlink', 'uname', 'nproc', 'id', 'test', 'cat', 'sha256sum', 'locale']
/** The ordinary user `nobody`: PostgreSQL starts for users with a name alone. */
const user = 65_534

interface Step {
  step: string
  ms: number
  fault?: string
}

async function runRelease({ folder, seed, say }: Stage): Promise<Outcome> {
  if (process.getuid?.() !== 0 || spawnSync('unshare', ['-nm', 'true']).status !== 0)
    throw new NotRunnable('it takes root and a system that lets it unshare networks and mounts')
  const { archive, bytes } = await makeRelease({ root, platform, into: folder, say })
  const place = join(folder, 'unpacked')
  await mkdir(place)
  execFileSync('tar', ['-xzf', archive, '-C', place, '--strip-components=1'])
  const poor = join(folder, 'bin')
  await mkdir(poor)
  for (const name of programs) {
    const found = ['/usr/bin', '/bin'].map((one) => join(one, name)).find((one) => existsSync(one))
    if (found !== undefined) await symlink(found, join(poor, name))
  }
  const image = makeImage(newUid(), newUid(), 1, randomFrom(seed))
  await writeFile(join(folder, 'image.dcm'), image.bytes)
  await chmod(join(folder, 'image.dcm'), 0o644)
  const data = join(folder, 'data')
  await mkdir(data)
  execFileSync('chown', [`${user}:${user}`, data])
  const check = join(folder, 'check.ts')
  await cp(join(import.meta.dirname, 'release-check.ts'), check)
  const steps = runApart(place, check, { place, data, poor, user, image: join(folder, 'image.dcm') })
  const size = (count: number) => `${Math.round(count / 1e6)} MB`
  const { size: archiveBytes } = await stat(archive)
  return {
    table: [['Step', 'Time'], ...steps.map(({ step, ms }) => [step, `${(ms / 1000).toFixed(1)} s`])],
    notes: [`The archive has ${size(archiveBytes)}, unpacked ${size(bytes)}.`],
    faults: steps.flatMap(({ step, fault }) => (fault === undefined ? [] : [`${step}: ${fault}`])),
  }
}

/** Runs the check with the release's own Node, where there is no route and no libatomic of the system's. */
function runApart(place: string, check: string, given: object): Step[] {
  const libraries = execFileSync('sh', ['-c', 'ldconfig -p | sed -n "s/.*libatomic.so.1 .* => //p"'], {
    encoding: 'utf8',
  })
  const hide = libraries
    .split('\n')
    .filter((file) => file !== '')
    .map((file) => `mount --bind /dev/null ${file}`)
  const script = ['ip link set lo up', ...hide, 'exec "$1/bin/node" "$2" "$3"'].join(' && ')
  const said = spawnSync('unshare', ['-nm', 'sh', '-c', script, 'check', place, check, JSON.stringify(given)], {
    env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: join(place, 'lib') },
    cwd: dirname(place),
    encoding: 'utf8',
    timeout: 300_000,
  })
  const lines = said.stdout.split('\n').filter((line) => line.startsWith('{'))
  const steps = lines.map((line): Step => JSON.parse(line))
  if (said.status === 0) return steps
  return [...steps, { step: 'the check itself', ms: 0, fault: `${said.stderr}${said.error ?? ''}`.slice(-2000) }]
}
