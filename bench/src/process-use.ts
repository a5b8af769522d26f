import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Kernel ticks a second in /proc/<pid>/stat; fixed in Linux's user interface. */
const TICKS_PER_SECOND = 100

/** CPU seconds of one process and its threads so far. */
export function cpuSeconds(pid: number): number {
  const stat = readStat(pid)
  return stat ? stat.own / TICKS_PER_SECOND : 0
}

/** CPU seconds of a process, all its living descendants, and the children that it has buried. */
export function cpuSecondsOfTree(pid: number): number {
  const stats = familyOf(pid)
  const root = stats.find((one) => one.pid === pid)
  return (stats.reduce((sum, one) => sum + one.own, 0) + (root?.buried ?? 0)) / TICKS_PER_SECOND
}

/** Bytes of physical memory now. */
export function residentBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS')
}

/** The most physical memory so far, or since `forgetPeak`. */
export function peakBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Physical memory of a process and its descendants, shared pages counted once. */
export function residentBytesOfTree(pid: number): number {
  return familyOf(pid).reduce((sum, one) => {
    const shares = readIfThere(`/proc/${one.pid}/smaps_rollup`)
    return sum + Number(/^Pss:\s+(\d+) kB/m.exec(shares)?.[1] ?? 0) * 1024
  }, 0)
}

export function childrenOf(pid: number): number[] {
  return listStats()
    .filter((one) => one.parent === pid)
    .map((one) => one.pid)
}

/** The program that a process runs, e.g. `postgres`. */
export function programOf(pid: number): string {
  return readIfThere(`/proc/${pid}/comm`).trim()
}

type Stat = { pid: number; parent: number; own: number; buried: number }

function familyOf(pid: number): Stat[] {
  const all = listStats()
  const family: Stat[] = all.filter((one) => one.pid === pid)
  for (const member of family) family.push(...all.filter((one) => one.parent === member.pid))
  return family
}

function listStats(): Stat[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []))
}

function readStat(pid: number): Stat | undefined {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text === '') return undefined
  // the program's name stands in brackets and may hold anything, so fields count from the last bracket
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (index: number) => Number(fields[index - 3] ?? 0)
  return { pid, parent: number(4), own: number(14) + number(15), buried: number(16) + number(17) }
}

function statusBytes(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readIfThere(`/proc/${pid}/status`))
  return Number(line?.[1] ?? 0) * 1024
}

/** Processes end while they are looked at. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return ''
    throw error
  }
}
