import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDiskSpace } from '@hilum/server/outbound/storage/disk-space'
import type { CtSet } from './ct-set.ts'
import type { HilumServer } from './hilum-server.ts'

/** By then metadata are written, or never. */
const WRITTEN_MS = 60_000

/** Milliseconds until the metadata lay there, and the CPU seconds that the server and PostgreSQL took. */
export type Ahead = { ms: number; cpu: number }

/** Whether there is room for what nobody has asked for yet: with less than a fifth of the disk the server spares it. */
export async function writesAhead({ dataFolder }: HilumServer): Promise<boolean> {
  return (await createDiskSpace([dataFolder]).look()).level === 'ample'
}

/**
 * Says that all images of a set were sent, and waits until its metadata lie there.
 * @throws Error at once where none will come to lie there
 */
export async function settle(hilum: HilumServer, { studyUid }: CtSet, folder: string): Promise<Ahead> {
  const { sid, cpu } = hilum
  if (!(await writesAhead(hilum))) {
    throw new Error(
      'The server writes no metadata ahead: the disk has too little room. HILUM_BENCH_FOLDER names another',
    )
  }
  const { studies } = await hilum.call('study/list', { sid, 'filter.study_uid.equals': studyUid })
  const [study] = studies as { uuid: string }[]
  const used = () => cpu().server + cpu().database
  const before = used()
  const start = performance.now()
  await hilum.call('study/sync', { sid, uuid: study?.uuid, image_count: 1 })
  const isWritten = async () => {
    const names = await readdir(folder, { recursive: true }).catch(() => [])
    return names.some((name) => name.endsWith('.json.gz'))
  }
  while (!(await isWritten())) {
    if (performance.now() - start > WRITTEN_MS) throw new Error('No metadata were written ahead')
    await sleep(20)
  }
  return { ms: performance.now() - start, cpu: used() - before }
}
