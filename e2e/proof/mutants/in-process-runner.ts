/** A test runner for StrykerJS that loads the tests once and runs them again and again in its own process. */
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CollectedTest } from './vitest-stand-in.ts'

type StandIn = typeof import('./vitest-stand-in.ts')
type Collected = Awaited<ReturnType<StandIn['collect']>>

interface MutantRun {
  activeMutant: { id: string }
  testFilter?: string[]
  hitLimit?: number
  mutantActivation: 'static' | 'runtime'
}

/** State that this runner shares with the code in which breaks are made. */
interface Switchboard {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: unknown
  hitCount?: number | undefined
  hitLimit?: number | undefined
}

const root = process.env['HILUM_MUTANTS_ROOT'] ?? ''
const switchboard: Switchboard = ((globalThis as { __stryker__?: Switchboard }).__stryker__ ??= {})

class InProcessRunner {
  private standIn: StandIn | undefined
  private files: Collected[] = []
  private stop: (() => Promise<void>) | undefined
  /** Modules are loaded anew under another one. */
  private edition = 0
  private isClean = false
  /** How long each test took: quick ones first, as one failure is enough. */
  private readonly tookMs = new Map<string, number>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    // a break may leave a promise to itself
    process.on('unhandledRejection', () => undefined)
    this.standIn = (await import('./vitest-stand-in.ts')) as StandIn
    redirect(process.cwd(), () => this.edition)
    if (process.env['HILUM_MUTANTS_NEEDS'] !== 'db') return
    const database = (await import(join(root, 'server/test/start-database.ts'))) as {
      setup: (project: unknown) => Promise<void>
      teardown: () => Promise<void>
    }
    await database.setup({ provide: this.standIn.provide })
    this.stop = database.teardown
  }

  async dryRun() {
    await this.load()
    const tests = []
    for (const test of this.listTests()) {
      const began = performance.now()
      switchboard.currentTestId = test.id
      const failure = await this.try(test)
      switchboard.currentTestId = undefined
      const timeSpentMs = performance.now() - began
      this.tookMs.set(test.id, timeSpentMs)
      const told = { id: test.id, name: test.id, timeSpentMs, fileName: test.file }
      tests.push(failure === undefined ? { ...told, status: 0 } : { ...told, status: 1, failureMessage: failure })
    }
    return { status: 'complete', tests, mutantCoverage: switchboard.mutantCoverage }
  }

  async mutantRun(run: MutantRun) {
    const isStatic = run.mutantActivation === 'static'
    if (!this.isClean && !isStatic) await this.load()
    const found = await this.tryMutant(run, isStatic)
    if (isStatic || found.status !== 'killed') return found
    // a break may have spoilt what modules remember: without it the test must succeed
    const again = this.listTests().find((test) => test.id === found.killedBy[0])
    if (again && (await this.try(again)) === undefined) return found
    await this.load()
    return this.tryMutant(run, false)
  }

  private async tryMutant({ activeMutant, hitLimit, testFilter }: MutantRun, isStatic: boolean) {
    Object.assign(switchboard, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    let ran = 0
    try {
      if (isStatic) await this.load()
      const wanted = testFilter && new Set(testFilter)
      for (const test of this.listTests()) {
        if (wanted && !wanted.has(test.id)) continue
        ran += 1
        const failure = await this.try(test)
        if (hitLimit !== undefined && (switchboard.hitCount ?? 0) > hitLimit)
          return { status: 'timeout', reason: 'It runs on without an end' } as const
        if (failure !== undefined)
          return { status: 'killed', killedBy: [test.id], failureMessage: failure, nrOfTests: ran } as const
      }
      return { status: 'survived', nrOfTests: ran } as const
    } catch (error) {
      return {
        status: 'killed',
        killedBy: testFilter?.slice(0, 1) ?? [],
        failureMessage: String(error),
        nrOfTests: ran,
      } as const
    } finally {
      Object.assign(switchboard, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
      if (isStatic) this.isClean = false
    }
  }

  async dispose(): Promise<void> {
    await this.leave()
    await this.stop?.()
  }

  private listTests(): CollectedTest[] {
    const took = ({ id }: CollectedTest) => this.tookMs.get(id) ?? 0
    return this.files.flatMap(([tests]) => tests).toSorted((one, other) => took(one) - took(other))
  }

  private async try(test: CollectedTest): Promise<string | undefined> {
    try {
      await this.standIn?.runOnce(test)
      return undefined
    } catch (error) {
      return String(error)
    }
  }

  private async load(): Promise<void> {
    await this.leave()
    this.edition += 1
    for (const name of listTestFiles()) {
      const collected = await this.standIn?.collect(name, () => import(pathToFileURL(join(process.cwd(), name)).href))
      if (collected) this.files.push(collected)
    }
    this.isClean = switchboard.activeMutant === undefined
  }

  private async leave(): Promise<void> {
    const files = this.files
    this.files = []
    for (const file of files) {
      // work that a break left cannot always be ended
      await this.standIn?.leave(...file).catch(() => undefined)
    }
  }
}

function listTestFiles(): string[] {
  const found = globSync((process.env['HILUM_MUTANTS_TESTS'] ?? '').split('|'))
  const isFitting = (name: string) => process.env['HILUM_MUTANTS_NEEDS'] === 'db' || !name.endsWith('.db.test.ts')
  return [...new Set(found)].filter(isFitting).toSorted()
}

/** Code of the workspaces comes from the copy in which the breaks are, and `vitest` is its stand-in. */
function redirect(copy: string, editionOf: () => number): void {
  const [rootUrl, copyUrl] = [root, copy].map((folder) => `${pathToFileURL(folder).href}/`) as [string, string]
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'vitest')
        return { url: new URL('vitest-stand-in.ts', import.meta.url).href, shortCircuit: true }
      const found = next(specifier, context)
      const isOurs = !found.url.includes('/node_modules/') && !found.url.startsWith(`${rootUrl}e2e/proof/mutants/`)
      if (!isOurs || !context.parentURL) return found
      const url = found.url.startsWith(rootUrl) ? copyUrl + found.url.slice(rootUrl.length) : found.url
      return url.startsWith(copyUrl) ? { ...found, url: `${url.split('?')[0]}?edition=${editionOf()}` } : found
    },
  })
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: Object.assign(() => new InProcessRunner(), { inject: [] }) },
]
