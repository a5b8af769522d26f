import { availableParallelism } from 'node:os'

/**
 * Node's options for the server that do not depend on the machine. The server hands large bodies on and keeps few objects of its own, so collecting more
 * often costs no measurable CPU: young objects get 24 MB instead of up to 96, and old ones may grow by two fifths of
 * what lives before they are collected, instead of doubling. 500 slow readers of archives take half the memory so.
 */
export const serverSettings = ['--max-semi-space-size=8', '--heap-growing-percent=40']

/** Node's options for the server on this machine. */
export const serverFlags = [...serverSettings, `--v8-pool-size=${helperThreads()}`]

/**
 * V8 collects in threads of its own, four unless told otherwise, which count as much as the thread of requests and as
 * PostgreSQL: beside a sender of large bodies they would keep two cores from everybody else. One core stays free of them.
 */
function helperThreads() {
  return Math.min(4, Math.max(1, availableParallelism() - 1))
}

/**
 * Settings of the C library, for the server alone. Threads of the server would otherwise get up to sixteen pools of
 * memory between them, each of which keeps for itself what passed through it once: hundreds of megabytes after a day of
 * uploads.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' }
