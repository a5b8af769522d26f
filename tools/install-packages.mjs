/**
 * Installs the packages beside those that are there and switches when the new ones are whole: an installation that
 * fails or is cut leaves the packages of the release before as they were, and that release starts with them.
 * Plain JavaScript for any Node ≥ 20 that imports no package.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupError } from './setup-error.mjs'

const stagePrefix = '.installing-'

/**
 * @param root the checkout
 * @param mark the answer of `installedMark` once these packages are in place
 * @param fill puts packages into the folder given, which holds the lock and the package.json of each workspace;
 *   throws a SetupError when that fails
 */
export function installBeside(root, mark, fill) {
  const stage = path.join(root, `${stagePrefix}${process.pid}`)
  try {
    copyManifests(root, stage)
    fill(stage)
    writeFileSync(path.join(stage, 'node_modules', markName), `${mark}\n`)
    switchTo(root, stage)
    noteCommit(root)
  } catch (error) {
    const fault = inWords(error)
    if (fault instanceof SetupError && existsSync(path.join(root, 'node_modules'))) {
      fault.message += `\nThe packages of the release before were left as they were, and the data were not touched. Run this again once the registry can be reached; until then the release before starts with: ${wayBack(root)}`
    }
    throw fault
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** A full disk or a folder of somebody else's is for the person to mend, a mistake of ours is not. */
function inWords(error) {
  if (error?.syscall === undefined) return error
  return new SetupError(`The packages could not be put in place: ${error.message}`)
}

const markName = '.hilum-lock'

/** The mark of the packages in place, empty when there are none or others put them there. */
export function installedMark(root) {
  const file = path.join(root, 'node_modules', markName)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

export function markInstalled(root, mark) {
  writeFileSync(path.join(root, 'node_modules', markName), `${mark}\n`)
  noteCommit(root)
}

const commitName = '.hilum-commit'

/**
 * Notes the commit of the checkout as the newest one that the packages in place are those of. ORIG_HEAD of git does not
 * tell the way back: a second `git pull` moves ORIG_HEAD to the new release.
 */
export function noteCommit(root) {
  const file = path.join(root, 'node_modules', commitName)
  const said = spawnSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const commit = said.status === 0 ? said.stdout.trim() : ''
  if (commit === '' || (existsSync(file) && readFileSync(file, 'utf8').trim() === commit)) return
  try {
    writeFileSync(file, `${commit}\n`)
  } catch {
    // a checkout that is read alone starts without the note
  }
}

function wayBack(root) {
  const file = path.join(root, 'node_modules', commitName)
  if (!existsSync(file)) return 'git checkout of the commit that started last, and npm start.'
  return `git checkout ${readFileSync(file, 'utf8').trim()} && npm start (and git checkout - before the next git pull).`
}

/** The links between workspaces are relative, so that they are right in the stage and in the checkout. */
function copyManifests(root, stage) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  mkdirSync(stage)
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(stage, file))
  }
  for (const workspace of workspaces) {
    mkdirSync(path.join(stage, workspace), { recursive: true })
    cpSync(path.join(root, workspace, 'package.json'), path.join(stage, workspace, 'package.json'))
  }
}

/** Two renames; when the second fails, the first is taken back. A cut between them leaves the old in the stage. */
function switchTo(root, stage) {
  const place = path.join(root, 'node_modules')
  const replaced = path.join(stage, replacedName)
  const hadPackages = existsSync(place)
  try {
    if (hadPackages) renameSync(place, replaced)
    renameSync(path.join(stage, 'node_modules'), place)
  } catch (error) {
    if (hadPackages && !existsSync(place)) renameSync(replaced, place)
    throw new SetupError(
      `The packages were installed in ${stage} but could not be put to ${place}: ${error.message}\nA folder node_modules that is a mount or belongs to somebody else cannot be replaced.`,
    )
  }
}

const replacedName = 'replaced'

/** Removes the stages of installations that were cut, after putting back packages that were moved away and not replaced. */
export function putBackAbandoned(root) {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(stagePrefix) || isRunning(Number(name.slice(stagePrefix.length)))) continue
    const stage = path.join(root, name)
    const replaced = path.join(stage, replacedName)
    const place = path.join(root, 'node_modules')
    if (existsSync(replaced) && !existsSync(place)) renameSync(replaced, place)
    rmSync(stage, { recursive: true, force: true })
  }
}

function isRunning(pid) {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
